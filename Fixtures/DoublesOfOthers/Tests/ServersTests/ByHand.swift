import DITesting
import NIOCore

// Requirements whose names begin with an underscore are in no symbol graph, so they are written by
// hand, as the guide says.
nonisolated extension ChannelDouble {
  var _channelCore: any ChannelCore { ChannelCoreDouble() }
}
nonisolated extension MulticastChannelDouble {
  var _channelCore: any ChannelCore { ChannelCoreDouble() }
}
