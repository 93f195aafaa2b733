// How taking and restoring say no: by a code, with what it happened to and what can be done.
import type { CommandErrorCode } from '@tandem/contract/command'
import { classifyFailure, type FailureContract, type FailureStage } from '@tandem/contract/failure'

export interface CheckpointFailure {
  readonly code: Extract<
    CommandErrorCode,
    'storage_unavailable' | 'canceled' | 'checkpoint_expired' | 'restore_failed' | 'restore_conflict' | 'not_found' | 'run_busy'
  >
  readonly failure_contract: FailureContract
}

const diskRefused: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the disk can only be read',
  EIO: 'the disk reports an error',
  EACCES: 'writing is not allowed',
  EPERM: 'writing is not allowed',
  EMFILE: 'too many files are open',
}

/** What the database says, in the system's words. */
const ofDatabase: Readonly<Record<number, string>> = { 8: 'EROFS', 10: 'EIO', 13: 'ENOSPC' }

/** What an error of the engine, or of the records, means; a bug is thrown on. */
export function toFailure(error: unknown, stage: FailureStage, subject: string): CheckpointFailure {
  const name = error instanceof Error ? error.name : ''
  if (name === 'WalkCanceled')
    return failed('canceled', stage, 'canceled', `looking at ${subject} was canceled`, subject, 'Call again to start over.')
  if (name === 'PackDamaged' && error instanceof Error) {
    return failed('restore_failed', stage, 'pack_damaged', error.message, subject, 'Choose another checkpoint.')
  }
  const refused = diskRefusal(error)
  if (refused === null) throw error
  const message = `the checkpoint of ${subject} could not be written: ${refused}`
  return failed(
    'storage_unavailable',
    stage,
    'checkpoint_not_written',
    message,
    subject,
    'Free space on the disk that holds the data folder, and call again.',
  )
}

/** Null when it was not the disk that said no. */
export function diskRefusal(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  const code = 'errcode' in error ? ofDatabase[Number(error.errcode) & 0xff] : 'code' in error ? String(error.code) : ''
  return diskRefused[code ?? ''] ?? null
}

export function failed(
  code: CheckpointFailure['code'],
  stage: FailureStage,
  reason_code: string,
  message: string,
  subject: string,
  remedy: string,
  facts: NonNullable<FailureContract['details']['facts']> = [],
): CheckpointFailure {
  const recoverability = code === 'canceled' || code === 'run_busy' ? 'retryable' : 'user_action'
  const details = { message, subject: subject.slice(0, 500), remedy, ...(facts.length > 0 ? { facts } : {}) }
  return {
    code,
    failure_contract: { taxonomy: classifyFailure({ stage }), stage, source: 'checkpoint', reason_code, recoverability, details },
  }
}

/** Carried by a restore over a command: whatever it did where nobody looked stays done. */
export function degraded(
  subject: string,
  unprotected: readonly string[],
  left: readonly { readonly path: string; readonly reason: string }[],
): FailureContract {
  const facts = [
    ...left.map(({ path, reason }) => ({ name: 'not_restored', value: `${path}: ${reason}` })),
    ...unprotected.map((value) => ({ name: 'unprotected', value })),
  ]
  return {
    taxonomy: classifyFailure({ stage: 'restore', opaque_restore: true }),
    stage: 'restore',
    source: 'checkpoint',
    reason_code: 'opaque_restore',
    recoverability: 'user_action',
    details: {
      message: 'A command ran whose effects could not all be seen: files were put back as far as they were kept, other effects stay.',
      subject: subject.slice(0, 500),
      remedy: 'Look at what the command may have done outside of its folder.',
      facts: facts.slice(0, 50),
    },
  }
}
