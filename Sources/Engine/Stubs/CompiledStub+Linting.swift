package import SDAnswering
import SDIndexing
import SDJournal
import SDLinting
import SDMatching
import SDStubModel
import Synchronization

extension CompiledStub: LintedStub {}
