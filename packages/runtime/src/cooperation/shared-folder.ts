// Members that work in the same folder at the same time. Each may write below the paths that it claims. A command that could write anywhere
// runs alone: while it runs, no other member changes files, and it waits for calls that do.
import { resolve, sep } from 'node:path'
import { ToolFailure } from '../call/failure.ts'
import { failureContract } from '../call/outcome.ts'
import { type Effect, mayChangeAnything, mayChangeFolder } from '../call/tool.ts'
import type { RunRecord } from '../journal/run-record.ts'
import { relativeInside } from '../path/inside.ts'
import { realPath } from '../path/real-path.ts'
import type { ReadyCall } from '../pipeline/prepared-call.ts'
import type { Entered, Kept } from '../run/team.ts'
import type { MemberRecord } from './record/member.ts'
import type { MemberRows } from './record/member-rows.ts'
import { mayWrite } from './rule/claims.ts'

export interface SharedFolders {
  enter(run: RunRecord, call: ReadyCall, signal: AbortSignal): Promise<Entered | Kept>
}

export interface SharedFolderPorts {
  readonly rows: Pick<MemberRows, 'get' | 'ofTeam'>
  /** Whether a restore has withdrawn it, so that it holds nothing. */
  isSetAside(member: MemberRecord): boolean
  /** Whether the operating system restricts the command to the paths of its policy. */
  isRestricted(call: ReadyCall): boolean
}

interface Use {
  readonly alone: boolean
}

interface Folder {
  readonly uses: Set<Use>
  readonly waiting: { readonly use: Use; start(): void }[]
}

const atOnce: Entered = { ok: true, leave: () => undefined }

export function openSharedFolders({ rows, isRestricted, isSetAside }: SharedFolderPorts): SharedFolders {
  const folders = new Map<string, Folder>()

  /** The members that share the folder of the run and have not ended. */
  function sharersOf(run: RunRecord): readonly MemberRecord[] {
    const root = rows.get(run.run_id)?.root_run_id ?? run.run_id
    return rows.ofTeam(root).filter((member) => {
      const { workspace, started_in, result } = member
      return workspace === 'shared' && result === null && started_in === run.workspace && !isSetAside(member)
    })
  }

  function isAbove(run_id: string, member: MemberRecord): boolean {
    const parent = rows.get(member.parent_run_id)
    return member.parent_run_id === run_id || (parent !== undefined && isAbove(run_id, parent))
  }

  /** Another member that claims a path which the call names. A member above has given it away. */
  function claimerOf(run: RunRecord, { effects }: ReadyCall, sharers: readonly MemberRecord[]) {
    const others = sharers.filter((member) => member.run_id !== run.run_id && !isAbove(member.run_id, rows.get(run.run_id) ?? member))
    for (const path of writtenPaths(effects, run.workspace))
      for (const member of others) if (mayWrite(path, member.claims)) return { path, member }
    return null
  }

  function use(folder: Folder, wanted: Use): Entered {
    folder.uses.add(wanted)
    return {
      ok: true,
      leave() {
        folder.uses.delete(wanted)
        startWaiting(folder)
      },
    }
  }

  function isFree({ uses }: Folder, { alone }: Use): boolean {
    return alone ? uses.size === 0 : [...uses].every((one) => !one.alone)
  }

  /** In the order of asking, so that a command that needs the folder alone gets it. */
  function startWaiting(folder: Folder): void {
    for (let next = folder.waiting[0]; next && isFree(folder, next.use); next = folder.waiting[0]) {
      folder.waiting.shift()
      next.start()
    }
  }

  async function enterFolder(path: string, wanted: Use, signal: AbortSignal): Promise<Entered> {
    const folder = folders.get(path) ?? { uses: new Set(), waiting: [] }
    folders.set(path, folder)
    if (folder.waiting.length === 0 && isFree(folder, wanted)) return use(folder, wanted)
    const { promise, resolve: start, reject } = Promise.withResolvers<Entered>()
    const entry = { use: wanted, start: () => start(use(folder, wanted)) }
    folder.waiting.push(entry)
    const stop = () => {
      folder.waiting.splice(folder.waiting.indexOf(entry) >>> 0, 1)
      startWaiting(folder)
      reject(new ToolFailure('canceled', 'the call was canceled while it waited for the folder'))
    }
    signal.addEventListener('abort', stop, { once: true })
    return await promise.finally(() => signal.removeEventListener('abort', stop))
  }

  return {
    async enter(run, call, signal) {
      if (!mayChangeFolder(call.effects)) return atOnce
      const sharers = sharersOf(run)
      if (sharers.length === 0) return atOnce
      const claimed = claimerOf(run, call, sharers)
      if (claimed) return claimedByMember(call, claimed.path, claimed.member)
      const isMember = sharers.some(({ run_id }) => run_id === run.run_id)
      const alone = mayChangeAnything(call.effects) && !(isMember && isRestricted(call))
      if (alone && outlives(call)) return stillShared(call)
      try {
        return await enterFolder(run.workspace, { alone }, signal)
      } catch (error) {
        if (!(error instanceof ToolFailure)) throw error
        return kept(call, error.reason_code, error.message, run.workspace, 'Try again when the run continues.')
      }
    },
  }
}

/** Relative to the workspace; paths outside of it are left to the policy. */
function writtenPaths(effects: readonly Effect[], workspace: string): readonly string[] {
  return effects.flatMap((effect) => {
    if (effect.does !== 'write' && effect.does !== 'delete') return []
    // Claims have no links in them.
    const path = relativeInside(realPath(resolve(workspace, effect.path)), realPath(workspace))
    return path === null ? [] : [path === '' ? '.' : path.replaceAll(sep, '/')]
  })
}

/** A background command runs on after its call. */
function outlives({ input }: ReadyCall): boolean {
  return typeof input === 'object' && input !== null && 'background' in input && input.background === true
}

function claimedByMember(call: ReadyCall, path: string, { title, run_id }: MemberRecord): Kept {
  const message = `${path} belongs to the member "${title}" (run ${run_id}) until it ends`
  return kept(call, 'claimed_by_member', message, path, 'Write elsewhere, or wait until that member has ended.')
}

function stillShared(call: ReadyCall): Kept {
  const message = 'a background command could change files of members that work in this folder'
  return kept(call, 'folder_shared', message, call.tool, 'Run it in the foreground, or wait until the members have ended.')
}

function kept({ tool }: ReadyCall, reason_code: string, message: string, subject: string, remedy: string): Kept {
  const details = { source: tool, reason_code, message, subject, remedy, recoverability: 'retryable' as const }
  return { ok: false, failure_contract: failureContract('cooperation', details) }
}
