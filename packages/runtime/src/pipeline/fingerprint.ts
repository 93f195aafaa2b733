// What an approval is bound to.
import { createHash } from 'node:crypto'
import { canonicalJson } from '@tandem/contract/sync'

/** Binds a yes to what will run: the tool, its arguments, what they stand for now, where it works and with what environment. */
export function fingerprintOf(call: FingerprintedCall): string {
  return createHash('sha256').update(canonicalJson(call)).digest('hex')
}

interface FingerprintedCall {
  readonly tool: string
  readonly input: unknown
  readonly workspace: string
  readonly environment: string
  readonly digest: string | null
  readonly powers: readonly string[]
  readonly instructions: readonly string[]
}
