// The file of an export, and what in it may be imported. A file may come from anywhere, whatever it claims. Pure.
import {
  type Memory,
  type MemoryDecision,
  type MemoryExportPart,
  memoryExportParts,
  memoryKinds,
  type UserCorrection,
} from '@tandem/contract/memory'
import {
  MemoryDecision as MemoryDecisionSchema,
  Memory as MemorySchema,
  UserCorrection as UserCorrectionSchema,
} from '@tandem/contract/memory/schema'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { sensitiveNames } from '../rule/authority.ts'
import { hasSecretIn, ownTextsOf } from '../rule/secret/memory-secrets.ts'
import { hasSecret } from '../rule/secret/secrets.ts'

const format = 'tandem-memory'
/** Version 1 had only memories. */
const version = 2

export interface ExportFile {
  readonly memories: readonly Memory[]
  /** Earlier versions of these memories. */
  readonly versions: readonly Memory[]
  readonly decisions: readonly MemoryDecision[]
  readonly corrections: readonly UserCorrection[]
}

export interface RefusedItem {
  readonly part: MemoryExportPart
  readonly position: number
  readonly reason: string
}

/** What can be imported, each with its position in the file. */
export type ValidItems = { readonly [Part in MemoryExportPart]: readonly (readonly [position: number, item: ExportFile[Part][number]])[] }

export type FileContents =
  | { readonly ok: true; readonly valid: ValidItems; readonly refused: readonly RefusedItem[] }
  | { readonly ok: false; readonly message: string }

export function writeExport(file: ExportFile): string {
  return JSON.stringify({ format, version, ...file })
}

export function readExport(json: string): FileContents {
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    return { ok: false, message: 'it is not valid JSON' }
  }
  const lists = listsOf(parsed)
  if (lists === null)
    return { ok: false, message: `it is not an export of memories: it must have "format": "${format}" and "version": 1 or ${version}` }
  const refused: RefusedItem[] = []
  const validOf = <Part extends MemoryExportPart>(part: Part) =>
    lists[part].flatMap((item, position) => {
      const reason = problemOf(part, item)
      if (reason === null) return [[position, item as ExportFile[Part][number]] as const]
      refused.push({ part, position, reason })
      return []
    })
  const valid: ValidItems = {
    memories: validOf('memories'),
    versions: validOf('versions'),
    decisions: validOf('decisions'),
    corrections: validOf('corrections'),
  }
  return { ok: true, valid, refused }
}

/** An imported memory that names a host, a path, a command or a permission waits for the user to confirm it. */
export function isHarmless(memory: Memory): boolean {
  return (
    sensitiveNames(ownTextsOf(memory).join('\n'), null).length === 0 && !memory.procedure?.steps.some(({ command }) => command !== null)
  )
}

function listsOf(value: unknown): Readonly<Record<MemoryExportPart, readonly unknown[]>> | null {
  if (typeof value !== 'object' || value === null) return null
  const { format: kind, version: number, ...lists } = value as Record<string, unknown>
  if (kind !== format || (number !== 1 && number !== version)) return null
  const of = (part: MemoryExportPart) => (number === 1 && part !== 'memories' ? [] : lists[part])
  if (!memoryExportParts.every((part) => Array.isArray(of(part)))) return null
  return Object.fromEntries(memoryExportParts.map((part) => [part, of(part)])) as Record<MemoryExportPart, readonly unknown[]>
}

const memory = `a memory: a field is missing or not valid. Its kind must be one of ${memoryKinds.join(', ')}`

const shapes: Readonly<Record<MemoryExportPart, { readonly schema: TSchema; readonly noun: string }>> = {
  memories: { schema: MemorySchema, noun: memory },
  versions: { schema: MemorySchema, noun: memory },
  decisions: { schema: MemoryDecisionSchema, noun: 'a decision about a conflict' },
  corrections: { schema: UserCorrectionSchema, noun: 'a correction' },
}

function problemOf(part: MemoryExportPart, item: unknown): string | null {
  const { schema, noun } = shapes[part]
  if (!Check(schema, item)) return `it is not ${noun}`
  return isSecret(part, item) ? 'it contains a secret' : null
}

function isSecret(part: MemoryExportPart, item: unknown): boolean {
  if (part === 'decisions') return false
  if (part !== 'corrections') return hasSecretIn(item as Memory)
  const { wrong, right } = item as UserCorrection
  return [wrong, right].some(hasSecret)
}
