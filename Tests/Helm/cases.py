"""Values of the chart, with the expected manifests or the expected error.

`RENDERED` has values, the expected contents by path (see `Manifests.at`; `notes` has words of NOTES.txt), and paths that must be absent.
"""

RELEASE = "demo"
NAMESPACE = "shop"
NAME = "demo-stuntdouble"

POD = "Deployment/spec/template/spec"
CONTAINER = POD + "/containers/0"
ENV = CONTAINER + "/env"
ANNOTATIONS = "Deployment/spec/template/metadata/annotations"
URL = "redis://:secret@redis.shop:6379/0"
HEALTH = "http://127.0.0.1:8080/__admin/health"
LABELS = {
    "helm.sh/chart": "stuntdouble-0.1.0", "app.kubernetes.io/name": "stuntdouble", "app.kubernetes.io/instance": "demo",
    "app.kubernetes.io/version": "0.1.0", "app.kubernetes.io/managed-by": "Helm",
}


def secret(name, key):
    return {"secretKeyRef": {"name": name, "key": key}}


RENDERED = {
    "default": ({}, {
        "Deployment/metadata/name": NAME, "Deployment/spec/replicas": 1,
        CONTAINER + "/image": "registry.example/stuntdouble:0.1.0",
        CONTAINER + "/securityContext/readOnlyRootFilesystem": True, CONTAINER + "/securityContext/runAsNonRoot": True,
        CONTAINER + "/readinessProbe/httpGet": {"path": "/__admin/health", "port": "http", "scheme": "HTTP"},
        CONTAINER + "/livenessProbe/exec/command/9": HEALTH,
        ENV: [{"name": "STUNTDOUBLE_PORT", "value": "8080"}],
        "Service/spec/ports/http/port": 8080, "ServiceAccount/metadata/name": NAME,
        CONTAINER + "/readinessProbe/periodSeconds": 2, CONTAINER + "/livenessProbe/periodSeconds": 10,
        CONTAINER + "/lifecycle/preStop/exec/command": ["sleep", "3"], CONTAINER + "/resources/limits/memory": "256Mi",
        CONTAINER + "/imagePullPolicy": "IfNotPresent", POD + "/terminationGracePeriodSeconds": 30,
        POD + "/automountServiceAccountToken": False, POD + "/enableServiceLinks": False,
        "Service/metadata/labels": LABELS, "Deployment/metadata/labels": LABELS,
        "notes": "    curl http://localhost:8080/__admin/health\n",
    }, [POD + "/topologySpreadConstraints", CONTAINER + "/args", "ConfigMap", "Secret", "Ingress", "HorizontalPodAutoscaler", "PodDisruptionBudget", "ServiceMonitor", "NetworkPolicy"]),
    "three replicas that share": ({"replicaCount": 3, "shared": {"url": URL}}, {
        "Deployment/spec/replicas": 3, "Secret/stringData/url": URL, ENV + "/STUNTDOUBLE_SHARED/valueFrom": secret(NAME + "-shared", "url"),
        ENV + "/STUNTDOUBLE_SHARED_NAME/value": "shop.demo-stuntdouble", "notes": "called shop.demo-stuntdouble",
    }),
    "the URL of a secret": ({"replicaCount": 2, "shared": {"existingSecret": "redis", "secretKey": "uri", "name": "shop"}}, {
        ENV + "/STUNTDOUBLE_SHARED/valueFrom": secret("redis", "uri"), ENV + "/STUNTDOUBLE_SHARED_NAME/value": "shop",
    }, ["Secret"]),
    "replicas that share nothing": ({"replicaCount": 3, "allowUnshared": True}, {
        "Deployment/spec/replicas": 3, "notes": "share nothing",
    }, [ENV + "/STUNTDOUBLE_SHARED"]),
    "none": ({"replicaCount": 0}, {"Deployment/spec/replicas": 0}),
    "autoscaling": ({
        "shared": {"url": "rediss://redis:6380"},
        "autoscaling": {"enabled": True, "minReplicas": 2, "maxReplicas": 8, "targetMemoryUtilizationPercentage": 70,
                        "behavior": {"scaleDown": {"stabilizationWindowSeconds": 60}}},
    }, {
        "HorizontalPodAutoscaler/spec/minReplicas": 2, "HorizontalPodAutoscaler/spec/maxReplicas": 8,
        "HorizontalPodAutoscaler/spec/metrics/0/resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}},
        "HorizontalPodAutoscaler/spec/metrics/1/resource": {"name": "memory", "target": {"type": "Utilization", "averageUtilization": 70}},
        "HorizontalPodAutoscaler/spec/behavior/scaleDown/stabilizationWindowSeconds": 60,
    }, ["Deployment/spec/replicas"]),
    "autoscaling of one": ({"autoscaling": {"enabled": True, "maxReplicas": 1}}, {"HorizontalPodAutoscaler/spec/maxReplicas": 1}),
    "autoscaling by memory": ({"autoscaling": {"enabled": True, "maxReplicas": 1, "targetCPUUtilizationPercentage": None, "targetMemoryUtilizationPercentage": 60}}, {
        "HorizontalPodAutoscaler/spec/metrics/0/resource/name": "memory",
    }, ["HorizontalPodAutoscaler/spec/metrics/1"]),
    "ingress": ({
        "ingress": {"enabled": True, "className": "nginx", "annotations": {"a/b": "c"}, "tls": [{"secretName": "tls", "hosts": ["mocks.shop.example"]}],
                    "hosts": [{"host": "mocks.shop.example", "paths": [{"path": "/"}, {"path": "/x", "pathType": "Exact"}]}]},
        "service": {"externalPort": 80},
    }, {
        "Ingress/spec/ingressClassName": "nginx", "Ingress/spec/tls/0/secretName": "tls", "Ingress/metadata/annotations/a/b": "c",
        "Ingress/spec/rules/0/host": "mocks.shop.example", "Ingress/spec/rules/0/http/paths/0/pathType": "Prefix",
        "Ingress/spec/rules/0/http/paths/1/backend/service": {"name": NAME, "port": {"name": "http"}},
        "Service/spec/ports/http/port": 80, "notes": "set adminHosts",
    }),
    "the admin API through the ingress": ({
        "ingress": {"enabled": True}, "adminHosts": ["mocks.example", "*.shop.example"], "adminToken": {"existingSecret": "admin"},
    }, {
        ENV + "/STUNTDOUBLE_ADMIN_HOST/value": "mocks.example,*.shop.example",
        ENV + "/STUNTDOUBLE_ADMIN_TOKEN/valueFrom": secret("admin", "token"),
        CONTAINER + "/readinessProbe/exec/command/2":
            "printf 'Authorization: Bearer %s' \"$STUNTDOUBLE_ADMIN_TOKEN\" | "
            f"curl --silent --insecure --noproxy '*' --fail --max-time 2 --output /dev/null --header @- {HEALTH}",
    }, [CONTAINER + "/readinessProbe/httpGet"]),
    "metrics": ({"metrics": {"annotations": True, "serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}}},
                 "adminToken": {"existingSecret": "admin", "secretKey": "t"}}, {
        ANNOTATIONS + "/prometheus.io/scrape": "true", ANNOTATIONS + "/prometheus.io/scheme": "http",
        ANNOTATIONS + "/prometheus.io/path": "/__admin/metrics", ANNOTATIONS + "/prometheus.io/port": "8080",
        "ServiceMonitor/metadata/labels/release": "prometheus", "ServiceMonitor/spec/endpoints/0/path": "/__admin/metrics",
        "ServiceMonitor/spec/endpoints/0/authorization/credentials": {"name": "admin", "key": "t"}, "notes": "wants the admin API's token",
    }),
    "a budget": ({"podDisruptionBudget": {"enabled": True}}, {"PodDisruptionBudget/spec/maxUnavailable": 1}, ["PodDisruptionBudget/spec/minAvailable"]),
    "a budget of the least": ({"podDisruptionBudget": {"enabled": True, "minAvailable": "50%"}}, {
        "PodDisruptionBudget/spec/minAvailable": "50%"}, ["PodDisruptionBudget/spec/maxUnavailable"]),
    "a budget of none": ({"podDisruptionBudget": {"enabled": True, "maxUnavailable": 0}}, {
        "PodDisruptionBudget/spec/maxUnavailable": 0}, ["PodDisruptionBudget/spec/minAvailable"]),
    "a budget of the least that is none": ({"podDisruptionBudget": {"enabled": True, "minAvailable": 0}}, {
        "PodDisruptionBudget/spec/minAvailable": 0}, ["PodDisruptionBudget/spec/maxUnavailable"]),
    "one authority for all": ({
        "replicaCount": 2, "shared": {"url": URL}, "scheme": "HTTPS", "args": ["--tls=only"],
        "authority": {"existingSecret": "ca", "certificateKey": "tls.crt", "privateKeyKey": "tls.key"}}, {
        POD + "/volumes/state/secret": {"secretName": "ca", "items": [{"key": "tls.crt", "path": "ca.pem"}, {"key": "tls.key", "path": "ca-key.pem"}]},
        CONTAINER + "/volumeMounts/state/readOnly": True,
        POD + "/topologySpreadConstraints/0/topologyKey": "kubernetes.io/hostname",
        POD + "/topologySpreadConstraints/0/labelSelector/matchLabels/app.kubernetes.io/instance": "demo",
        "notes": "curl --insecure https://localhost:8080/__admin/health",
    }, [POD + "/volumes/state/emptyDir"]),
    "an authority for each": ({"replicaCount": 2, "shared": {"url": URL}, "scheme": "HTTPS"}, {"notes": "authority.existingSecret"}),
    "a token for who asks": ({"adminToken": {"existingSecret": "admin", "secretKey": "a.b"}}, {
        "notes": "    curl --header \"Authorization: Bearer $(kubectl --namespace shop get secret admin --output jsonpath='{.data.a\\.b}' | base64 --decode)\" http://localhost:8080/__admin/health\n"}),
    "a network policy that shuts out": ({"networkPolicy": {"enabled": True}, "ingress": {"enabled": True}}, {
        "notes": "The network policy admits the pods of shop alone"}),
    "the port in a letter": ({"args": ["-p", "8080"]}, {CONTAINER + "/args": ["-p", "8080"]}),
    "a root folder cut short": ({"mappings": {"a.json": "{}"}, "args": ["--root=/y"]}, {CONTAINER + "/volumeMounts/mappings/mountPath": "/y/mappings"}),
    "a network policy": ({"networkPolicy": {"enabled": True}}, {"NetworkPolicy/spec/ingress/0/from": [{"podSelector": {}}]}),
    "a network policy for some": ({"networkPolicy": {"enabled": True, "from": [{"namespaceSelector": {}}]}}, {
        "NetworkPolicy/spec/ingress/0/from": [{"namespaceSelector": {}}]}),
    "mocks": ({"mocks": {"shop.yaml": "GET /a: { body: 'x: {{request.path}}' }\n"}, "responses": {"book.json": "{}"}}, {
        "ConfigMap:demo-stuntdouble-mocks/data": {"shop.yaml": "GET /a: { body: 'x: {{request.path}}' }\n"},
        POD + "/volumes/mocks/projected/sources/1/configMap/items/0": {"key": "book.json", "path": "__files/responses/book.json"},
        CONTAINER + "/volumeMounts/mocks/mountPath": "/mocks",
    }),
    "mocks of a volume": ({"mocksVolume": {"persistentVolumeClaim": {"claimName": "shop"}}}, {
        POD + "/volumes/mocks/persistentVolumeClaim/claimName": "shop", CONTAINER + "/volumeMounts/mocks/mountPath": "/mocks",
    }, ["ConfigMap"]),
    "mocks of a ConfigMap": ({"mocksVolume": {"configMap": {"name": "shop"}}}, {POD + "/volumes/mocks/configMap/name": "shop"}),
    "WireMock's values": ({
        "mappings": {"a.json": '{"request": {}, "response": {}}'}, "responses": {"b.json": "{}"},
        "image": {"repository": "mine/stuntdouble", "tag": 2}, "initContainer": {"image": {"repository": "bash", "tag": 5}},
        "persistence": {"mappings": {"enabled": False}}, "extraVolumes": {}, "extraVolumeMounts": {},
        "service": {"externalPort": 9021, "internalPort": 9021},
        "args": ["--port=9021", "--max-request-journal=1000", "--local-response-templating", "--root-dir=/home/wiremock/storage"],
    }, {
        CONTAINER + "/image": "mine/stuntdouble:2", CONTAINER + "/args/0": "--port=9021", ENV + "/STUNTDOUBLE_PORT/value": "9021",
        CONTAINER + "/volumeMounts/mappings/mountPath": "/home/wiremock/storage/mappings",
        CONTAINER + "/volumeMounts/responses/mountPath": "/home/wiremock/storage/__files/responses",
        "ConfigMap:demo-stuntdouble-mappings/data/a.json": '{"request": {}, "response": {}}',
    }),
    "mappings where they are by default": ({"mappings": {"a.json": "{}"}}, {CONTAINER + "/volumeMounts/mappings/mountPath": "/home/wiremock/mappings"}),
    "a root folder in two words": ({"mappings": {"a.json": "{}"}, "args": ["--root-dir", "/x/", "--verbose"]}, {
        CONTAINER + "/volumeMounts/mappings/mountPath": "/x/mappings"}),
    "variables of a list": ({"env": [{"name": "A", "value": "1"}, {"name": "B", "valueFrom": secret("b", "c")}]}, {
        ENV + "/A/value": "1", ENV + "/B/valueFrom": secret("b", "c")}),
    "variables of an object": ({"env": {"A": "{{ .Release.Name }}", "B": 1, "C": True}}, {
        ENV + "/A/value": "demo", ENV + "/B/value": "1", ENV + "/C/value": "true"}),
    "names": ({"fullnameOverride": "mocks", "serviceAccount": {"create": False}}, {
        "Deployment/metadata/name": "mocks", "Service/metadata/name": "mocks", POD + "/serviceAccountName": "default"}, ["ServiceAccount"]),
    "a long name": ({"nameOverride": "n" * 80, "shared": {"url": "valkey://v"}}, {"Service/metadata/name": "demo-" + "n" * 58}),
    "HTTPS": ({"scheme": "HTTPS", "service": {"internalPort": 8443}, "args": ["--disable-http", "--https-port=8443"]}, {
        CONTAINER + "/readinessProbe/httpGet/scheme": "HTTPS", CONTAINER + "/livenessProbe/exec/command/9": "https://127.0.0.1:8443/__admin/health"}),
    "what a pod may have": ({
        "imagePullSecrets": [{"name": "r"}], "podAnnotations": {"a": "b"}, "podLabels": {"team": "shop"}, "podSecurityContext": {"fsGroup": 10001},
        "nodeSelector": {"kubernetes.io/os": "linux"}, "tolerations": [{"key": "ci", "operator": "Exists"}],
        "affinity": {"podAntiAffinity": {}}, "strategy": {"type": "Recreate"}, "resources": {"limits": {"memory": "1Gi"}},
        "topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway",
                                       "labelSelector": {"matchLabels": {"app.kubernetes.io/instance": "{{ .Release.Name }}"}}}],
        "extraInitContainers": [{"name": "i", "image": "bash"}], "extraVolumes": [{"name": "v", "emptyDir": {}}],
        "extraVolumeMounts": [{"name": "v", "mountPath": "/v"}],
        "livenessProbe": {"tcpSocket": {"port": "http"}}, "readinessProbe": {"tcpSocket": {"port": "http"}},
        "startupProbe": {"tcpSocket": {"port": "http"}}, "preStopSeconds": 0,
    }, {
        POD + "/imagePullSecrets": [{"name": "r"}], POD + "/securityContext": {"fsGroup": 10001}, POD + "/affinity": {"podAntiAffinity": {}},
        POD + "/nodeSelector": {"kubernetes.io/os": "linux"}, POD + "/tolerations/0/key": "ci",
        CONTAINER + "/resources/limits/memory": "1Gi", CONTAINER + "/readinessProbe": {"tcpSocket": {"port": "http"}},
        ANNOTATIONS + "/a": "b", "Deployment/spec/template/metadata/labels/team": "shop", POD + "/initContainers/i/image": "bash",
        POD + "/topologySpreadConstraints/0/labelSelector/matchLabels/app.kubernetes.io/instance": "demo",
        CONTAINER + "/volumeMounts/v/mountPath": "/v", CONTAINER + "/livenessProbe": {"tcpSocket": {"port": "http"}},
        CONTAINER + "/startupProbe": {"tcpSocket": {"port": "http"}}, "Deployment/spec/strategy/type": "Recreate",
    }, [CONTAINER + "/lifecycle"]),
    "more objects": ({"extraObjects": [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "{{ .Release.Name }}-more"}, "data": {"a": "b"}},
        "apiVersion: v1\nkind: Secret\nmetadata: { name: '{{ .Release.Name }}-more' }\n",
    ]}, {"ConfigMap:demo-more/data/a": "b", "Secret:demo-more/metadata/name": "demo-more"}),
}

REFUSED = [
    ({"replicaCount": 3}, "3 replicas that share nothing are 3 mock servers"),
    ({"autoscaling": {"enabled": True, "maxReplicas": 5}}, "5 replicas that share nothing are 5 mock servers"),
    ({"autoscaling": {"enabled": True, "minReplicas": 3, "maxReplicas": 1}}, "autoscaling.minReplicas is 3 and maxReplicas 1"),
    ({"autoscaling": {"enabled": True, "maxReplicas": 1, "targetCPUUtilizationPercentage": None}}, "autoscaling has no target"),
    ({"shared": {"url": URL, "existingSecret": "redis"}}, "shared.url and shared.existingSecret are both set"),
    ({"shared": {"url": "redis.shop:6379"}}, "/shared/url"),
    ({"shared": {"url": "http://redis"}}, "/shared/url"),
    ({"shared": {"url": "redis://a b"}}, "/shared/url"),
    ({"shared": {"host": "redis"}}, "'host' not allowed"),
    ({"shared": {"name": "a b"}}, "/shared/name"),
    ({"replicas": 3}, "'replicas' not allowed"),
    ({"replicaCount": "three"}, "got string, want integer"),
    ({"replicaCount": -1}, "/replicaCount"),
    ({"service": {"port": 80}}, "'port' not allowed"),
    ({"service": {"internalPort": 70000}}, "/service/internalPort"),
    ({"args": ["--port=9021"]}, "args have --port 9021, and service.internalPort is 8080"),
    ({"args": ["--port", "9021"]}, "args have --port 9021"),
    ({"args": ["-p", "9021"]}, "args have --port 9021"),
    ({"args": ["-p9021"]}, "args have --port 9021"),
    ({"args": ["--shared=redis://r"], "replicaCount": 3}, "args have --shared; set shared.url"),
    ({"args": ["--shared-name", "a"], "shared": {"url": URL}}, "args have --shared-name; set shared.url"),
    ({"env": {"STUNTDOUBLE_SHARED": "redis://r"}, "shared": {"url": URL}}, "env has STUNTDOUBLE_SHARED; set shared.url"),
    ({"env": [{"name": "STUNTDOUBLE_SHARED_NAME", "value": "a"}]}, "env has STUNTDOUBLE_SHARED_NAME; set shared.url"),
    ({"mocks": {"a.yaml": "x"}, "args": ["--root", "/x"]}, "args have --root-dir"),
    ({"authority": {"secret": "a"}}, "'secret' not allowed"),
    ({"mocks": {"a.yaml": ""}, "mocksVolume": {"emptyDir": {}}}, "mocks and mocksVolume are both set"),
    ({"mocks": {"a.yaml": "x"}, "mappings": {"a.json": "{}"}}, "mappings are not served beside mocks"),
    ({"mocks": {"a.yaml": "x"}, "args": ["--root-dir=/x"]}, "args have --root-dir"),
    ({"mocksVolume": {"emptyDir": {}}, "responses": {"a.json": "{}"}}, "responses are not served beside mocksVolume"),
    ({"mocks": {"a/b.yaml": "x"}}, "invalid propertyName 'a/b.yaml'"),
    ({"mocks": {"a.yaml": {"GET /a": "x"}}}, "got object, want string"),
    ({"persistence": {"mappings": {"enabled": True}}}, "persistence.mappings is not had here"),
    ({"podDisruptionBudget": {"enabled": True, "maxUnavailable": ""}}, "neither minAvailable nor maxUnavailable"),
    ({"image": {"pullPolicy": "Sometimes"}}, "/image/pullPolicy"),
    ({"ingress": {"enabled": True, "hosts": [{"host": "a.example"}]}}, "paths"),
    ({"adminHosts": ["a.example,b.example"]}, "/adminHosts/0"),
]
