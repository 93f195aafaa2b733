// JSONata in a realm of its own: it has the objects of the language and nothing of Node. An expression can replace the functions of the
// library (`{} ~> |$sum|{"implementation": …}|`), so each evaluation gets a new realm.
import { constants, createContext, Script } from 'node:vm'
import type jsonata from 'jsonata'
import { refusedFunctions } from './refused-functions.ts'

export interface Realm {
  readonly jsonata: typeof jsonata
  /** `JSON.parse` of the realm: its objects have the prototypes of the realm. */
  parse(text: string): unknown
  /** Replaces the refused functions, also for an expression that reaches one without naming it. */
  refuse(expression: jsonata.Expression): void
}

/**
 * Without the accessor, `__proto__` is a property like any other, also where the library assigns to it.
 * Time stands still and there is no randomness, so that a result is always the same. `window` is where the library looks for base64.
 */
const preparation = new Script(`
  delete Object.prototype.__proto__
  delete Math.random
  globalThis.Date = class extends Date {
    constructor(...parts) { super(...(parts.length === 0 ? [0] : parts)) }
    static now() { return 0 }
  }
  globalThis.window = {
    btoa: (text) => Uint8Array.from(text, (character) => character.charCodeAt(0)).toBase64(),
    atob: (text) => Array.from(Uint8Array.fromBase64(text), (byte) => String.fromCharCode(byte)).join(''),
  }
  const refusals = ${JSON.stringify([...refusedFunctions])}
    .map(([name, message]) => [name, () => { throw new Error(message) }])
  const realm = {
    jsonata: globalThis.jsonata,
    parse: JSON.parse,
    refuse: (expression) => refusals.forEach(([name, refusal]) => expression.assign(name, refusal)),
  }
  realm
`)

/** `library` is the source text of JSONata. Only text may be passed into a realm: an object would bring the prototypes of Node. */
export function realms(library: string): () => Realm {
  const script = new Script(library)
  return () => {
    const context = createContext(constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: false } })
    script.runInContext(context)
    return preparation.runInContext(context) as Realm
  }
}
