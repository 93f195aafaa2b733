/** The payload of a change that is stored as it is: its canonical JSON, as UTF-8. Stands where else the payload's object would. */
export class PayloadText {
  // No property of its own: whoever looks for fields finds none.
  readonly #json: Buffer

  constructor(json: Buffer) {
    this.#json = json
  }

  get json(): Buffer {
    return this.#json
  }
}
