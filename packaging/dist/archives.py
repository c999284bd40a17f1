"""Archives that are the same, byte for byte, whenever they are made of the same files."""

import gzip
import io
import tarfile
import time
import zipfile


def folders(files):
    """The folders of these paths, parents first."""
    found = set()
    for path in files:
        parts = path.split("/")[:-1]
        found |= {"/".join(parts[: count + 1]) for count in range(len(parts))}
    return sorted(found)


def tarball(path, files, seconds, prefix):
    """Writes {path: (bytes, mode)} into a .tar.gz, below the folder `prefix`, owned by root."""
    files = {f"{prefix}/{name}": content for name, content in files.items()}
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        with tarfile.open(mode="w", fileobj=packed, format=tarfile.USTAR_FORMAT) as archive:
            for name in sorted(folders(files) + list(files)):
                entry = tarfile.TarInfo(name)
                entry.mtime, entry.uname, entry.gname = seconds, "root", "root"
                if name in files:
                    content, entry.mode = files[name]
                    entry.size = len(content)
                    archive.addfile(entry, io.BytesIO(content))
                else:
                    entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                    archive.addfile(entry)


def zipped(path, files, seconds):
    """Writes {path: (bytes, mode)} into a .zip. Its times are in local time, so they are taken as UTC, and not before 1980."""
    date = max(time.gmtime(seconds)[:6], (1980, 1, 1, 0, 0, 0))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, (content, mode) in sorted(files.items()):
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr, entry.create_system = (0o100000 | mode) << 16, 3
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
