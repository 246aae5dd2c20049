const std = @import("std");

/// A list.
pub const List = struct {
    len: usize,
    const capacity = 8;

    pub fn push(self: *List) void {
        const local = 1;
        _ = local;
    }
};

pub const Color = enum { red, green };
const limit = 3;
pub fn main() !void {}

test "push" {}
