"""Manifests of Kubernetes: read, looked into by paths, and held against schemas and each other."""

import copy

import kubernetes_validate
import yaml

# Kinds of operators', of which the schemas of Kubernetes know nothing.
FOREIGN = {"ServiceMonitor"}


class UniqueKeyLoader(yaml.SafeLoader):
    """YAML in which no key may be there twice: of two the last one would win unseen."""

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
        """The value at `Kind/member/…`, or `Kind:NAME/member/…`; an element of a list by its place or its name. None if it is not there."""
        first, *rest = path.split("/")
        kind, _, name = first.partition(":")
        place = next((m for m in self.of(kind) if not name or m["metadata"]["name"] == name), None)
        # A member may have slashes in its name: `annotations/prometheus.io/port`.
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
    """What is wrong about manifests."""
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
    """What one part says of another one."""
    for deployment in manifests.of("Deployment"):
        template = deployment["spec"]["template"]
        pod, labels = template["spec"], template["metadata"]["labels"]
        volumes = {volume["name"]: volume for volume in pod.get("volumes", [])}
        selectors = [deployment["spec"]["selector"]["matchLabels"]]
        selectors += [service["spec"]["selector"] for service in manifests.of("Service")]
        selectors += [budget["spec"]["selector"]["matchLabels"] for budget in manifests.of("PodDisruptionBudget")]
        for selector in selectors:
            if not selector.items() <= labels.items():
                yield f"no pod has the labels {selector}"
        for container in pod["containers"]:
            ports = {port["name"] for port in container["ports"]}
            for service in manifests.of("Service"):
                for port in service["spec"]["ports"]:
                    if port["targetPort"] not in ports:
                        yield f"no port is called {port['targetPort']}"
            mounts = container.get("volumeMounts", [])
            if len({mount["mountPath"] for mount in mounts}) < len(mounts):
                yield f"two mounts at one path: {mounts}"
            for mount in mounts:
                if mount["name"] not in volumes:
                    yield f"no volume is called {mount['name']}"
            variables = [variable["name"] for variable in container.get("env", [])]
            if len(set(variables)) < len(variables):
                yield f"a variable is there twice: {variables}"
        for budget in manifests.of("HorizontalPodAutoscaler"):
            if budget["spec"]["scaleTargetRef"]["name"] != deployment["metadata"]["name"]:
                yield "the HorizontalPodAutoscaler is about another Deployment"
            if "replicas" in deployment["spec"]:
                yield "the Deployment has a number of replicas, and a HorizontalPodAutoscaler, too"
        config = {m["metadata"]["name"]: m["data"] for m in manifests.of("ConfigMap")}
        for volume in volumes.values():
            for source in [volume, *volume.get("projected", {}).get("sources", [])]:
                named = source.get("configMap", {}).get("name")
                keys = {item["key"] for item in source.get("configMap", {}).get("items", [])}
                if named and named.startswith(deployment["metadata"]["name"]) and named not in config:
                    yield f"no ConfigMap is called {named}"
                if named in config and not keys <= set(config[named]):
                    yield f"{named} has no {keys - set(config[named])}"
