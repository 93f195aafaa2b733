// Assembles the calls of one turn from pieces, which every server splits differently. Pure.
import type { ProviderFields } from './message.ts'
import { callFields, fieldsToKeep, mergedFields } from './provider-fields.ts'

export interface TurnCall {
  readonly wire_id: string
  readonly name: string
  readonly arguments: string
  readonly provider_fields?: ProviderFields
}

export interface CallAssembler {
  add(pieces: readonly unknown[]): void
  calls(): readonly TurnCall[]
}

interface OpenCall {
  id: string
  name: string
  arguments: string
  fields: ProviderFields
}

export function assembleCalls(): CallAssembler {
  const calls: OpenCall[] = []
  /** The newest call at each index: some servers give every call the index 0. */
  const atIndex = new Map<number, OpenCall>()

  function callOf(piece: Record<string, unknown>, isFirst: boolean): OpenCall {
    const id = string(piece.id)
    if (typeof piece.index === 'number') {
      const there = atIndex.get(piece.index)
      // Another id at the same index is another call.
      return there && (id === '' || there.id === '' || there.id === id) ? there : opened(piece.index)
    }
    if (id !== '') return calls.find((call) => call.id === id) ?? opened()
    // Neither index nor id: the next piece of the last call, unless it starts another one.
    const last = calls.at(-1)
    const begins = string(fields(piece.function).name) !== '' && (!isFirst || (last !== undefined && isWhole(last)))
    return last && !begins ? last : opened()
  }

  function opened(index?: number): OpenCall {
    const call = { id: '', name: '', arguments: '', fields: {} }
    calls.push(call)
    if (index !== undefined) atIndex.set(index, call)
    return call
  }

  return {
    add(pieces) {
      for (const [place, one] of pieces.entries()) {
        const piece = fields(one)
        const said = fields(piece.function)
        const call = callOf(piece, place === 0)
        call.id ||= string(piece.id)
        call.name = grownName(call.name, string(said.name))
        call.arguments = grownArguments(call.arguments, said.arguments)
        call.fields = mergedFields(call.fields, callFields(piece))
      }
    },
    calls() {
      const used = new Set<string>()
      return calls
        .filter(({ name, arguments: args }) => name !== '' || args !== '')
        .map((call, index) => {
          const wire_id = call.id === '' || used.has(call.id) ? freeId(index, used, calls) : call.id
          used.add(wire_id)
          const provider_fields = fieldsToKeep(call.fields)
          return { wire_id, name: call.name, arguments: call.arguments, ...(provider_fields ? { provider_fields } : {}) }
        })
    },
  }
}

/** Some servers repeat the name in every piece, or send everything so far. */
function grownName(name: string, piece: string): string {
  if (piece === name || piece === '') return name
  return piece.startsWith(name) ? piece : name + piece
}

/** A text grows; an object is complete. */
function grownArguments(text: string, piece: unknown): string {
  if (typeof piece === 'string') return text + piece
  return typeof piece === 'object' && piece !== null ? JSON.stringify(piece) : text
}

function isWhole({ name, arguments: args }: OpenCall): boolean {
  if (name === '') return false
  try {
    JSON.parse(args)
    return true
  } catch {
    // Not complete yet.
    return false
  }
}

/** An id for a call that has none, or one that another call of the turn has. */
function freeId(index: number, used: ReadonlySet<string>, calls: readonly OpenCall[]): string {
  const taken = (id: string) => used.has(id) || calls.some((call) => call.id === id)
  let id = `call_${index}`
  while (taken(id)) id = `${id}_`
  return id
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function string(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
