/// A moment.
public enum JavaTime {}
