import java.io.FileInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Scanner;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Java's HttpClient against requests on standard input: for each the lines METHOD, URL, the number of fields, each field as `NAME: VALUE`,
 * and the body in base64. Prints a line of JSON for each. Arguments: seconds of patience, the CA's file or `-`, 1.1 or 2, `each` for a
 * connection each.
 */
class JavaHTTPClient {
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char character : String.valueOf(text).toCharArray()) {
            if (character == '"' || character == '\\') quoted.append('\\');
            if (character < ' ') quoted.append(' '); else quoted.append(character);
        }
        return quoted.append('"').toString();
    }

    static HttpClient client(String authority, String version, Duration patience) throws Exception {
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(patience).followRedirects(HttpClient.Redirect.NORMAL);
        builder.version(version.equals("2") ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
        if (!authority.equals("-")) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            try (FileInputStream file = new FileInputStream(authority)) {
                store.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(file));
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            builder.sslContext(context);
        }
        return builder.build();
    }

    static String words(Throwable error) {
        Throwable inner = error;
        while (inner.getCause() != null && inner.getCause() != inner) inner = inner.getCause();
        String text = error.getClass().getSimpleName();
        return inner.getMessage() == null ? text : text + ": " + inner.getMessage();
    }

    public static void main(String[] arguments) throws Exception {
        Duration patience = Duration.ofMillis((long) (Double.parseDouble(arguments[0]) * 1000));
        HttpClient client = client(arguments[1], arguments[2], patience);
        Scanner input = new Scanner(System.in, StandardCharsets.UTF_8);
        while (input.hasNextLine()) {
            String method = input.nextLine();
            if (method.isEmpty()) break;
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(input.nextLine())).timeout(patience);
            int count = Integer.parseInt(input.nextLine());
            for (int index = 0; index < count; index++) {
                String[] field = input.nextLine().split(": ", 2);
                request.header(field[0], field[1]);
            }
            byte[] body = Base64.getDecoder().decode(input.nextLine());
            request.method(method, body.length == 0 ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofByteArray(body));
            if (arguments.length > 3) client = client(arguments[1], arguments[2], patience);
            try {
                HttpResponse<byte[]> answer = client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray())
                    .get(patience.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
                List<String> fields = new ArrayList<>();
                answer.headers().map().forEach((name, values) -> fields.add(quoted(name) + ":" + quoted(String.join(", ", values))));
                System.out.println("{\"status\":" + answer.statusCode() + ",\"headers\":{" + String.join(",", fields) + "},\"body\":"
                    + quoted(Base64.getEncoder().encodeToString(answer.body())) + ",\"version\":" + quoted(answer.version().toString()) + "}");
            } catch (java.util.concurrent.TimeoutException error) {
                System.out.println("{\"error\":\"timed out\"}");
            } catch (Exception error) {
                Throwable shown = error instanceof java.util.concurrent.ExecutionException ? error.getCause() : error;
                System.out.println("{\"error\":" + quoted(words(shown)) + "}");
            }
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }
}
