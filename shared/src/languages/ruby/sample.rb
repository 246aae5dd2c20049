require 'set'
require_relative "base"

# Namespace.
module Rack
  # Builds applications.
  class Builder < Base
    LIMIT = 3
    attr_reader :app, :map

    def initialize(app)
      local = 1
    end

    def self.parse(text) = text

    class << self
      def load; end
    end

    define_method(:dynamic) { 1 }
    alias call run
  end

  class Utils::Context
  end
end

module Rack::Helpers
  def helper; end
end
