'use strict'
var send = require('send')

/**
 * Set a header.
 */

res.set =
res.header = function header(field, val) {
  return this
}

exports.helper = function () {}
Router.prototype.handle = (req) => req
module.exports = class Application {
  #secret = 1
  start() {
    const inner = () => 1
    return inner
  }
}
const routes = { list() {}, show: function () {}, limit: 3 }
export { a } from './a'
