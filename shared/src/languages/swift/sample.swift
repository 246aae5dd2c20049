import Foundation

/// A session.
public final class Session: NSObject {
    @available(*, deprecated)
    static let shared = Session()
    let queue: Int = 1

    public init(queue: Int) {
        let local = 1
    }

    func request(
        _ url: String
    ) -> Int { return 1 }

    subscript(i: Int) -> Int { 1 }
}

struct Point { var x: Int }
enum State { case open, closed(Int) }
extension Session { func resume() {} }
protocol Store { func load(); var size: Int { get } }
typealias Callback = Int
