private import CLibXML2

/// An XML document.
public enum XMLDocument {}
