// The log of a request, created on first use: most model calls write nothing, and creating one is expensive.
import type { FastifyBaseLogger } from 'fastify'

type Child = Parameters<FastifyBaseLogger['child']>

export function lazyLogger(log: FastifyBaseLogger, bindings: Child[0], options: Child[1]): FastifyBaseLogger {
  return new LateLog(log, bindings, options)
}

class LateLog implements FastifyBaseLogger {
  readonly #log: FastifyBaseLogger
  readonly #bindings: Child[0]
  readonly #options: Child[1]
  #made: FastifyBaseLogger | undefined

  constructor(log: FastifyBaseLogger, bindings: Child[0], options: Child[1]) {
    this.#log = log
    this.#bindings = bindings
    this.#options = options
  }

  get #own(): FastifyBaseLogger {
    this.#made ??= this.#log.child(this.#bindings, this.#options)
    return this.#made
  }

  get level() {
    return this.#log.level
  }

  child(...given: Child) {
    return this.#own.child(...given)
  }

  // Levels that are off create no log.
  debug(...line: unknown[]) {
    if (this.level === 'debug' || this.level === 'trace') Reflect.apply(this.#own.debug, this.#own, line)
  }

  trace(...line: unknown[]) {
    if (this.level === 'trace') Reflect.apply(this.#own.trace, this.#own, line)
  }

  info(...line: unknown[]) {
    Reflect.apply(this.#own.info, this.#own, line)
  }

  warn(...line: unknown[]) {
    Reflect.apply(this.#own.warn, this.#own, line)
  }

  error(...line: unknown[]) {
    Reflect.apply(this.#own.error, this.#own, line)
  }

  fatal(...line: unknown[]) {
    Reflect.apply(this.#own.fatal, this.#own, line)
  }

  silent() {
    // Writes nothing.
  }
}
