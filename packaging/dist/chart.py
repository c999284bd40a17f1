"""The Helm chart, as `helm package` packs one: `helm install NAME stuntdouble-chart-….tgz`."""

from . import archives
from .release import NAME, ROOT

FOLDER = ROOT / "packaging/helm" / NAME


def make(release):
    # What .helmignore names is nothing of the repository's.
    paths = [path for path in sorted(FOLDER.rglob("*")) if path.is_file()]
    files = {path.relative_to(FOLDER).as_posix(): (path.read_bytes(), 0o644) for path in paths}
    archives.tarball(release.out / f"{NAME}-chart-{release.version}.tgz", files, release.time, NAME)
