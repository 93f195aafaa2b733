// The file name that is being typed after an @. Pure.

export interface Mention {
  /** The position of the @. */
  readonly begin: number
  readonly end: number
  readonly typed: string
}

/** The text before the caret, back to an @ at the start of a word. */
export function mentionAt(text: string, caret: number): Mention | null {
  const [, typed] = /(?:^|\s)@([^\s@"]{0,200})$/.exec(text.slice(0, caret)) ?? []
  return typed === undefined ? null : { begin: caret - typed.length - 1, end: caret, typed }
}

/** A name that is not a plain word is written as JSON, so that it always remains one name on one line. */
export function withFile(text: string, { begin, end }: Mention, path: string): { readonly text: string; readonly caret: number } {
  const name = `@${/^[\p{L}\p{N}._/+-]+$/u.test(path) ? path : JSON.stringify(path)} `
  return { text: text.slice(0, begin) + name + text.slice(end).replace(/^ /, ''), caret: begin + name.length }
}
