// Values that do not match a schema, generated from the schema itself: a new command or field is covered without being named here.
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { sampleOf } from '../../src/sample.ts'

/** The keywords that lead to other schemas. */
interface Node {
  readonly type?: string
  readonly anyOf?: readonly Node[]
  readonly properties?: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly items?: Node
  readonly minItems?: number
}

export interface Nonsense {
  readonly what: string
  /** Where the value is wrong: names and indexes; empty for the value as a whole. */
  readonly path: readonly string[]
  readonly value: unknown
}

/** Values of fields, by name: ids that exist. */
export type Known = Readonly<Record<string, string>>

const long = 'x'.repeat(10_000)

/** Texts that users, other programs and attackers send in place of a valid one. */
export const strangeTexts: Readonly<Record<string, string>> = {
  'an empty text': '',
  'only spaces': '   ',
  'a very long text': long,
  'a NUL byte': 'a\0b',
  'a path with a NUL byte': '/tmp/a\0b',
  'a name of every object': '__proto__',
  'a path that climbs out': '../../../../../../etc/passwd',
  'an absolute path that climbs out': '/tmp/../../etc/passwd',
  'an id that nothing has': '01890a5d-ac96-774b-bcce-b302099a8057',
  'a script': '<script>alert(1)</script>',
  'an emoji': '👩‍👩‍👧',
  'half a character': '\ud800',
  'a database command': "'; DROP TABLE runs; --",
  'a JSON pointer': '/~1~0/0',
}

const strangeWholes: Readonly<Record<string, unknown>> = {
  nothing: undefined,
  null: null,
  'a text': 'nonsense',
  'a list': [],
  'a list of texts': ['nonsense'],
  'a number': 42,
  'no number': Number.NaN,
  true: true,
  'no fields': {},
}

const wrongTypes: Readonly<Record<string, unknown>> = {
  null: null,
  'a text': 'nonsense',
  'a number': 42.5,
  'a negative number': -1,
  'a huge number': 1e300,
  'a list': [],
  'a list of lists': [[[]]],
  'an object': {},
  true: true,
}

/** All invalid values for one schema. Each differs from a valid value in one place. */
export function nonsenseFor(schema: TSchema, known: Known = {}): Nonsense[] {
  const wholes = Object.entries(strangeWholes).map(([what, value]) => ({ what, path: [], value }))
  const least = examplesOf(schema as Node, known, 'required').map((value) => ({ what: 'only what is required', path: [], value }))
  return [...wholes, ...least, ...examplesOf(schema as Node, known, 'all').flatMap(nonsenseAround)]
}

function nonsenseAround(example: unknown): Nonsense[] {
  const extra = JSON.parse('{"__proto__":{"polluted":true}}') as object
  const around: Nonsense[] = [
    { what: 'a value that matches', path: [], value: example },
    { what: 'a field too many', path: ['no_such_field'], value: { ...Object(example), no_such_field: 1 } },
    { what: 'a prototype', path: ['__proto__'], value: withOwn(example, '__proto__', extra) },
  ]
  for (const path of pathsIn(example)) {
    around.push({ what: 'missing', path, value: without(example, path) })
    for (const [what, value] of Object.entries(wrongTypes)) around.push({ what, path, value: replaced(example, path, value) })
    if (typeof at(example, path) !== 'string') continue
    for (const [what, value] of Object.entries(strangeTexts)) around.push({ what, path, value: replaced(example, path, value) })
  }
  return around
}

/** Values that match, one for each form of a union. */
function examplesOf(node: Node, known: Known, which: 'all' | 'required'): unknown[] {
  if (node.anyOf) return node.anyOf.filter(({ type }) => type !== 'null').flatMap((form) => examplesOf(form, known, which))
  if (node.properties) {
    const fields = Object.entries(node.properties)
      .filter(([name]) => which === 'all' || node.required?.includes(name))
      .map(([name, field]) => [name, Object.hasOwn(known, name) ? [known[name]] : examplesOf(field, known, which)] as const)
    // Each form of a field once, the other fields in their first form.
    const most = Math.max(1, ...fields.map(([, forms]) => forms.length))
    return Array.from({ length: most }, (_, form) => Object.fromEntries(fields.map(([name, forms]) => [name, forms[form] ?? forms[0]])))
  }
  if (node.items) {
    const forms = examplesOf(node.items, known, which)
    return [[...forms, ...Array.from({ length: Math.max(0, (node.minItems ?? 0) - forms.length) }, () => forms[0])]]
  }
  const [example] = fc.sample(sampleOf(node as TSchema), { numRuns: 1, seed: 7 })
  // No test connects to a host from a generated sample.
  return [typeof example === 'string' && /^https?:\/\//.test(example) ? 'http://127.0.0.1:9/' : example]
}

/** The names of all fields, at every depth. */
export function fieldsIn(schema: TSchema): string[] {
  const names = (node: Node): string[] => [
    ...Object.entries(node.properties ?? {}).flatMap(([name, field]) => [name, ...names(field)]),
    ...(node.anyOf ?? []).flatMap(names),
    ...(node.items ? names(node.items) : []),
  ]
  return names(schema as Node)
}

type Path = readonly string[]

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, child]) => [[...path, name], ...pathsIn(child, [...path, name])])
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], value)
}

function replaced(value: unknown, path: Path, by: unknown): unknown {
  const copy = structuredClone(value)
  const parent = at(copy, path.slice(0, -1)) as Record<string, unknown>
  parent[path.at(-1) ?? ''] = by
  return copy
}

function without(value: unknown, path: Path): unknown {
  const copy = structuredClone(value)
  const parent = at(copy, path.slice(0, -1)) as Record<string, unknown>
  if (Array.isArray(parent)) parent.splice(Number(path.at(-1)), 1)
  else delete parent[path.at(-1) ?? '']
  return copy
}

function withOwn(value: unknown, name: string, own: unknown): unknown {
  return Object.defineProperty({ ...Object(value) }, name, { value: own, enumerable: true, configurable: true, writable: true })
}
