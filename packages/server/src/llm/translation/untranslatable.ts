/** Part of a request that another API cannot express. It becomes a response with status 400: the remedy is always another request. */
export class UntranslatableError extends Error {
  readonly param: string

  constructor(param: string, message: string) {
    super(message)
    this.param = param
  }
}
