import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Java's own WebSocket against the checks; prints what it reports for each. Arguments: address, seconds, CA's certificate or "-". */
class JavaWebSocket implements WebSocket.Listener {
    static String base;
    static long patience;
    static HttpClient client;

    final LinkedBlockingQueue<Object> received = new LinkedBlockingQueue<>();
    private final StringBuilder text = new StringBuilder();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    WebSocket socket;

    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
        text.append(part);
        if (last) {
            received.add(text.toString());
            text.setLength(0);
        }
        from.request(1);
        return null;
    }

    public CompletionStage<?> onBinary(WebSocket from, ByteBuffer part, boolean last) {
        byte[] piece = new byte[part.remaining()];
        part.get(piece);
        bytes.writeBytes(piece);
        if (last) {
            received.add(bytes.toByteArray());
            bytes.reset();
        }
        from.request(1);
        return null;
    }

    public CompletionStage<?> onPong(WebSocket from, ByteBuffer payload) {
        received.add("pong of " + payload.remaining());
        from.request(1);
        return null;
    }

    public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        received.add(code + " " + reason);
        return null;
    }

    static JavaWebSocket opened(String path, String... protocols) {
        JavaWebSocket listener = new JavaWebSocket();
        WebSocket.Builder builder = client.newWebSocketBuilder().connectTimeout(Duration.ofSeconds(patience));
        if (protocols.length > 0) builder.subprotocols(protocols[0], Arrays.copyOfRange(protocols, 1, protocols.length));
        listener.socket = builder.buildAsync(URI.create(base + "/" + path), listener).join();
        return listener;
    }

    Object next() throws InterruptedException {
        Object found = received.poll(patience, TimeUnit.SECONDS);
        return found == null ? "timed out" : found;
    }

    static String verdict(Object found, Object wanted) {
        boolean same = found instanceof byte[] one && wanted instanceof byte[] other ? Arrays.equals(one, other) : found.equals(wanted);
        String text = found.toString();
        return same ? "ok" : text.substring(0, Math.min(60, text.length()));
    }

    static String text(String sent) throws Exception {
        JavaWebSocket one = opened("echo");
        one.socket.sendText(sent, true).join();
        return verdict(one.next(), sent);
    }

    static String bytes(int length) throws Exception {
        byte[] sent = new byte[length], wanted = new byte[length];
        for (int at = 0; at < length; at++) {
            sent[at] = (byte) at;
            wanted[at] = (byte) (255 - at);
        }
        JavaWebSocket one = opened("echo");
        one.socket.sendBinary(ByteBuffer.wrap(sent), true).join();
        return verdict(one.next(), wanted);
    }

    static String parted() throws Exception {
        JavaWebSocket one = opened("echo");
        for (int part = 0; part < 100; part++) one.socket.sendText("x".repeat(1000), part == 99).join();
        return verdict(one.next(), "x".repeat(100_000));
    }

    static String pinged() throws Exception {
        JavaWebSocket one = opened("echo");
        one.socket.sendPing(ByteBuffer.wrap("there?".getBytes())).join();
        return verdict(one.next(), "pong of 6");
    }

    static String closedByServer() throws Exception {
        JavaWebSocket one = opened("echo");
        one.socket.sendText("close me", true).join();
        return verdict(one.next(), "1000 Closed by server");
    }

    static String closed() throws Exception {
        JavaWebSocket one = opened("echo");
        one.socket.sendClose(4001, "done").join();
        return verdict(one.next().toString().split(" ")[0], "4001");
    }

    static String refused() {
        try {
            opened("refused");
            return "opened";
        } catch (CompletionException error) {
            if (error.getCause() instanceof WebSocketHandshakeException refusal) return verdict(refusal.getResponse().statusCode(), 403);
            throw error;
        }
    }

    public static void main(String[] arguments) throws Exception {
        base = arguments[0];
        patience = Long.parseLong(arguments[1]);
        HttpClient.Builder builder = HttpClient.newBuilder();
        if (!arguments[2].equals("-")) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            try (var file = Files.newInputStream(Path.of(arguments[2]))) {
                store.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(file));
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            builder.sslContext(context);
        }
        client = builder.build();
        Map<String, Callable<String>> checks = new LinkedHashMap<>();
        checks.put("a text", () -> text("héllo"));
        checks.put("an empty text", () -> text(""));
        checks.put("a binary message", () -> bytes(256));
        checks.put("1 MiB of text", () -> text("x".repeat(1 << 20)));
        checks.put("1 MiB of bytes", () -> bytes(1 << 20));
        checks.put("sent in fragments", () -> parted());
        checks.put("a ping is answered", () -> pinged());
        checks.put("the server closes", () -> closedByServer());
        checks.put("the client closes", () -> closed());
        checks.put("a sub-protocol", () -> verdict(opened("spoken", "v1.chat", "v2.chat").socket.getSubprotocol(), "v2.chat"));
        checks.put("a refusal by 403", () -> refused());
        StringBuilder json = new StringBuilder();
        for (var check : checks.entrySet()) {
            String said;
            try {
                said = check.getValue().call();
            } catch (Exception error) {
                said = error.toString();
            }
            said = said.replace("\\", "\\\\").replace("\"", "'").replace("\n", " ");
            json.append(json.isEmpty() ? "{" : ", ").append('"').append(check.getKey()).append("\": \"").append(said).append('"');
        }
        System.out.println(json + "}");
        System.exit(0);
    }
}
