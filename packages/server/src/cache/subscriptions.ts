// Who listens to which channel in this process.

export class Subscriptions {
  readonly #channels = new Map<string, Set<(message: string) => void>>()
  readonly #log: (line: string) => void

  constructor(log: (line: string) => void) {
    this.#log = log
  }

  get channels(): string[] {
    return [...this.#channels.keys()]
  }

  /** Says whether it is the channel's first. A listener counts once. */
  add(channel: string, listener: (message: string) => void): boolean {
    const listeners = this.#channels.get(channel)
    if (listeners) {
      listeners.add(listener)
      return false
    }
    this.#channels.set(channel, new Set([listener]))
    return true
  }

  /** Says whether it was the channel's last. */
  remove(channel: string, listener: (message: string) => void): boolean {
    const listeners = this.#channels.get(channel)
    if (!listeners?.delete(listener) || listeners.size > 0) return false
    return this.#channels.delete(channel)
  }

  deliver(channel: string, message: string): void {
    for (const listener of [...(this.#channels.get(channel) ?? [])]) {
      try {
        listener(message)
      } catch (error) {
        // One listener's fault must not cost the others their message.
        this.#log(`cache: a listener of ${channel} failed: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }

  clear(): void {
    this.#channels.clear()
  }
}
