"""Reads Kubernetes manifests, looks up members by path, and checks them against schemas and each other."""

import copy

import kubernetes_validate
import yaml

# Custom resources, which the Kubernetes schemas do not cover.
FOREIGN = {"ServiceMonitor"}


class UniqueKeyLoader(yaml.SafeLoader):
    """YAML without repeated keys, of which the last would win silently."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        if len(set(map(str, keys))) < len(keys):
            raise yaml.constructor.ConstructorError(None, None, f"a key is there twice: {keys}", node.start_mark)
        return super().construct_mapping(node, deep)


class Manifests:
    def __init__(self, texts):
        documents = (document for text in texts for document in yaml.load_all(text, UniqueKeyLoader))
        self.all = [document for document in documents if document]

    def of(self, kind):
        return [manifest for manifest in self.all if manifest["kind"] == kind]

    def at(self, path):
        """The value at `Kind/member/…`, or `Kind:NAME/member/…`; an element of a list by its index or name. None if it is absent."""
        first, *rest = path.split("/")
        kind, _, name = first.partition(":")
        place = next((m for m in self.of(kind) if not name or m["metadata"]["name"] == name), None)
        # A member's name may contain slashes: `annotations/prometheus.io/port`.
        while rest and place is not None:
            if isinstance(place, dict):
                key = next((k for k in ("/".join(rest[:n]) for n in range(len(rest), 0, -1)) if k in place), None)
                place, rest = place.get(key), rest[key.count("/") + 1:] if key else []
            elif isinstance(place, list):
                word = rest.pop(0)
                place = next((e for n, e in enumerate(place) if str(n) == word or isinstance(e, dict) and e.get("name") == word), None)
            else:
                return None
        return place


def problems(manifests, versions):
    """The errors in manifests."""
    return [*against_schemas(manifests, versions), *names(manifests), *references(manifests)]


def against_schemas(manifests, versions):
    for manifest in manifests.all:
        for version in versions if manifest["kind"] not in FOREIGN else []:
            try:
                kubernetes_validate.validate(copy.deepcopy(manifest), version, strict=True)
            except kubernetes_validate.ValidationError as error:
                yield f"{manifest['kind']}: Kubernetes {version}: {'/'.join(map(str, error.path))}: {error.message[:300]}"
            except kubernetes_validate.SchemaNotFoundError as error:
                yield error.message


def names(manifests):
    seen = set()
    for manifest in manifests.all:
        name = manifest["metadata"]["name"]
        if len(name) > 253 or manifest["kind"] == "Service" and len(name) > 63:
            yield f"{manifest['kind']}: its name is too long: {name}"
        if (manifest["kind"], name) in seen:
            yield f"{manifest['kind']} {name} is there twice"
        seen.add((manifest["kind"], name))


def references(manifests):
    """Errors in references between manifests."""
    templates = [deployment["spec"]["template"] for deployment in manifests.of("Deployment")]
    for service in manifests.of("Service"):
        pods = selected(templates, service["spec"]["selector"])
        ports = {port["name"] for pod in pods for container in pod["spec"]["containers"] for port in container["ports"]}
        yield from (f"no port is called {port['targetPort']}" for port in service["spec"]["ports"] if port["targetPort"] not in ports)
    selectors = [m["spec"]["selector"]["matchLabels"] for kind in ("Deployment", "PodDisruptionBudget") for m in manifests.of(kind)]
    selectors += [policy["spec"]["podSelector"]["matchLabels"] for policy in manifests.of("NetworkPolicy")]
    yield from (f"no pod has the labels {selector}" for selector in selectors if not selected(templates, selector))
    deployments = {deployment["metadata"]["name"] for deployment in manifests.of("Deployment")}
    scaled = {scaler["spec"]["scaleTargetRef"]["name"] for scaler in manifests.of("HorizontalPodAutoscaler")}
    yield from (f"no Deployment is called {name}" for name in scaled - deployments)
    for template in templates:
        yield from of_pod(template["spec"], {m["metadata"]["name"]: m["data"] for m in manifests.of("ConfigMap")})


def selected(templates, selector):
    return [template for template in templates if selector.items() <= template["metadata"]["labels"].items()]


def of_pod(pod, config):
    """Errors between the parts of a pod and the ConfigMaps that it names."""
    volumes = {volume["name"]: volume for volume in pod.get("volumes", [])}
    for container in pod["containers"]:
        mounts = container.get("volumeMounts", [])
        yield from (f"no volume is called {mount['name']}" for mount in mounts if mount["name"] not in volumes)
        for kind, words in (("mount", [m["mountPath"] for m in mounts]), ("variable", [v["name"] for v in container.get("env", [])])):
            if len(set(words)) < len(words):
                yield f"a {kind} is there twice: {words}"
    for volume in volumes.values():
        if len(volume) != 2:
            yield f"the volume {volume['name']} has not one source: {sorted(volume)}"
        for source in [volume, *volume.get("projected", {}).get("sources", [])]:
            if "configMap" in source and config:
                named = source["configMap"] or {}
                keys = {item["key"] for item in named.get("items", [])}
                if not keys <= set(config.get(named.get("name"), {})) or named.get("name") not in config:
                    yield f"the ConfigMap {named.get('name')} is not there, or lacks some of {sorted(keys)}"
