// Random histories of one folder: overlapping calls of two runs, commands that keep size and time, background commands that really keep
// writing, scripts in their own folders, and a user. What every step changed is read from the disk by `find` and `sha256sum`.
import { join } from 'node:path'
import fc from 'fast-check'
import type { Effect } from '../../../src/call/tool.ts'
import { openBackgroundPoints } from '../../../src/checkpoint/background-points.ts'
import { systemClock } from '../../../src/clock/clock.ts'
import { type BackgroundShell, isAlive, openShell } from './test-background-shell.ts'
import { bash, type CheckpointTestEnvironment, cursorAt, other_run_id, run_id } from './test-checkpoints.ts'
import type { PathWrite, TrueHistory, WriterSpan } from './test-history-model.ts'
import { commands, statesOf } from './test-trees.ts'

/** The script `tools/make` runs in `run-here`, and writes to both folders. */
const scriptFolders = ['run-here', 'tools']
const files = ['top', 'shared/a', 'shared/b', 'shared/deep/c', 'run-here/data', 'tools/state']
const layout = 'mkdir -p shared/deep run-here tools; for f in top shared/a run-here/data tools/state; do echo 0000 > $f; done'

/** Each writes text of one length, so that a command which resets the time changes only the content. */
const acts = {
  write: (path: string, text: string) => `mkdir -p "$(dirname ${path})"; echo ${text} > ${path}`,
  remove: (path: string) => `rm -rf ${path}`,
  mode: (path: string) => `chmod 600 ${path}`,
  'cp -p': (path: string, text: string) =>
    `mkdir -p "$(dirname ${path})"; echo ${text} > ../new; touch -r ${path} ../new; cp -p ../new ${path}`,
  'touch -r': (path: string, text: string) =>
    `[ -f ${path} ] && touch -r ${path} ../time && echo ${text} > ${path} && touch -r ../time ${path}`,
  'touch -d': (path: string, text: string) =>
    `[ -f ${path} ] && t=$(stat -c %y ${path}) && echo ${text} > ${path} && touch -d "$t" ${path}`,
  'in place': (path: string, text: string) =>
    `[ -f ${path} ] && touch -r ${path} ../time && printf ${text} | dd of=${path} conv=notrunc status=none && touch -r ../time ${path}`,
  'new folder': (path: string, text: string) => `mkdir -p "$(dirname ${path})/made/in" && echo ${text} > "$(dirname ${path})/made/in/it"`,
  'lose folder': (path: string) => `d=$(dirname ${path}); [ "$d" = . ] || rm -rf "$d"`,
  'file for folder': (path: string, text: string) => `d=$(dirname ${path}); [ "$d" = . ] || { rm -rf "$d"; echo ${text} > "$d"; }`,
  move: (path: string) => `d=$(dirname ${path}); [ -f ${path} ] && mv ${path} "$d/moved"`,
} satisfies Record<string, (path: string, text: string) => string>

/** Without those that need a repository, and without the one that removes the folder itself. */
const destructive = commands.filter((command) => !command.startsWith('git') && !command.includes('$PWD'))

type Actor = 'run' | 'other'
const actor = fc.constantFrom<Actor>('run', 'other')
const act = fc.constantFrom(...(Object.keys(acts) as (keyof typeof acts)[]))
const path = fc.constantFrom(...files)

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('begin' as const),
      actor,
      call: fc.constantFrom<OpenCall['call']>('command', 'command', 'script', 'background'),
    }),
  },
  { weight: 6, arbitrary: fc.record({ does: fc.constant('act' as const), actor, act, path }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('destroy' as const), actor, command: fc.constantFrom(...destructive) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('finish' as const), actor }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('background act' as const), actor, act, path }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('end background' as const), actor }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('named write' as const), actor, path }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('person' as const), act, path }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

export const steps = fc.array(step, { minLength: 4, maxLength: 16 })

/** With a path of every kind: of the run, of the other run, of both, and of a background command. */
export const everyKind: Step[] = [
  { does: 'background act', actor: 'run', act: 'write', path: 'top' },
  { does: 'named write', actor: 'other', path: 'shared/a' },
  { does: 'named write', actor: 'run', path: 'shared/b' },
  { does: 'act', actor: 'other', act: 'in place', path: 'run-here/data' },
]

/** Folders that another run deleted are restored with the file in them. */
export const foldersLost: Step[] = [
  { does: 'act', actor: 'other', act: 'write', path: 'shared/deep/c' },
  { does: 'act', actor: 'run', act: 'cp -p', path: 'shared/deep/c' },
  { does: 'finish', actor: 'run' },
  { does: 'destroy', actor: 'other', command: 'find . -mindepth 1 -delete' },
]

export interface PlayedCall {
  readonly checkpoint_id: string
  readonly span: WriterSpan
}

export interface Played {
  readonly history: TrueHistory
  /** Of the run to restore, in order. */
  readonly calls: readonly PlayedCall[]
  endBackground(): Promise<void>
  close(): Promise<void>
}

interface OpenCall extends PlayedCall {
  readonly call: 'command' | 'script' | 'background'
}

interface RunningCommand {
  readonly shell: BackgroundShell
  readonly span: WriterSpan
  readonly checkpoint_id: string
}

const runs: Readonly<Record<Actor, string>> = { run: run_id, other: other_run_id }

export async function play(bench: CheckpointTestEnvironment, given: readonly Step[]): Promise<Played> {
  const { checkpoints, work } = bench
  const spans: WriterSpan[] = []
  const writes: PathWrite[] = []
  const calls: PlayedCall[] = []
  const open = new Map<Actor, OpenCall>()
  const running: { readonly actor: Actor; readonly command: RunningCommand }[] = []
  const points = openBackgroundPoints({
    checkpoints,
    clock: systemClock,
    startOf: (pid) => (isAlive(pid) ? 'alive' : null),
    closed: () => undefined,
    failed: (_point, failure) => {
      throw new Error(JSON.stringify(failure))
    },
    log: (line) => {
      throw new Error(line)
    },
  })
  bash(layout, work)
  let states = statesOf(work)
  let time = 0
  const next = () => {
    time += 1
    return time
  }

  /** Reads from the disk what a step changed. */
  function record(by: WriterSpan | null): void {
    const at = next()
    const found = statesOf(work)
    for (const changed of new Set([...states.keys(), ...found.keys()])) {
      const [before, after] = [states.get(changed) ?? 'absent', found.get(changed) ?? 'absent']
      if (before !== after) writes.push({ at, path: changed, before, after, by })
    }
    states = found
  }

  function addSpan(who: Actor, type: WriterSpan['type'], covers: (one: string) => boolean): WriterSpan {
    const span = { run: runs[who], type, from: next(), to: Number.POSITIVE_INFINITY, covers }
    spans.push(span)
    return span
  }

  async function take(who: Actor, effects: readonly Effect[], script_folder?: string): Promise<string> {
    const call = { call_id: `call-${time}`, tool: 'test', effects, workspace: work, ...(script_folder ? { script_folder } : {}) }
    const planned = await checkpoints.plan(call)
    if (planned.outcome !== 'planned' || !planned.plan) throw new Error(JSON.stringify(planned))
    const taken = await checkpoints.take(planned.plan, cursorAt(time, work, runs[who]))
    if (taken.outcome !== 'taken') throw new Error(JSON.stringify(taken))
    return taken.checkpoint.checkpoint_id
  }

  function remember(who: Actor, call: PlayedCall): void {
    if (who === 'run') calls.push(call)
  }

  async function begin(who: Actor, call: OpenCall['call']): Promise<void> {
    if (open.has(who) || (call === 'script' && !scriptFolders.every((folder) => states.get(folder)?.startsWith('d')))) return
    const isScript = call === 'script'
    const cwd = isScript ? join(work, 'run-here') : work
    const effect = { does: 'execute', command: 'make', cwd, language: 'shell' } as const
    const checkpoint_id = await take(who, [effect], isScript ? join(work, 'tools') : undefined)
    const covers = (one: string) => !isScript || scriptFolders.some((folder) => one === folder || one.startsWith(`${folder}/`))
    const begun = { checkpoint_id, span: addSpan(who, 'command', covers), call }
    open.set(who, begun)
    remember(who, begun)
  }

  async function finish(who: Actor): Promise<void> {
    const call = open.get(who)
    if (!call) return
    open.delete(who)
    if (call.call === 'background') {
      const shell = openShell(work)
      const failure = await points.follow(call.checkpoint_id, shell)
      if (failure) throw new Error(JSON.stringify(failure))
      const span = addSpan(who, 'background', () => true)
      call.span.to = span.from
      running.push({ actor: who, command: { shell, span, checkpoint_id: call.checkpoint_id } })
      return
    }
    const failure = await checkpoints.settle(call.checkpoint_id)
    if (failure) throw new Error(JSON.stringify(failure))
    call.span.to = next()
  }

  /** One that is already running, or a new one. */
  async function runningOf(who: Actor): Promise<RunningCommand | undefined> {
    if (!running.some((one) => one.actor === who) && !open.has(who)) {
      await begin(who, 'background')
      await finish(who)
    }
    return running.find((one) => one.actor === who)?.command
  }

  async function endOne(who: Actor): Promise<void> {
    const index = running.findIndex((one) => one.actor === who)
    const [ended] = index < 0 ? [] : running.splice(index, 1)
    if (!ended) return
    await points.end([ended.command.checkpoint_id])
    ended.command.span.to = next()
  }

  async function namedWrite(who: Actor, named: string): Promise<void> {
    const above = named.includes('/') ? named.slice(0, named.lastIndexOf('/')) : ''
    const isPossible = (above === '' || states.get(above)?.startsWith('d')) && !states.get(named)?.startsWith('d')
    if (open.has(who) || !isPossible) return
    const checkpoint_id = await take(who, [{ does: 'write', path: named }])
    const span = addSpan(who, 'call', (one) => one === named)
    bash(`echo ${textAt(time)} > ${named}`, work)
    record(span)
    const failure = await checkpoints.settle(checkpoint_id)
    if (failure) throw new Error(JSON.stringify(failure))
    span.to = next()
    remember(who, { checkpoint_id, span })
  }

  async function destroy(who: Actor, command: string): Promise<void> {
    if (!open.has(who)) await begin(who, 'command')
    const call = open.get(who)
    if (!call || call.call === 'script') return
    bash(command, work)
    record(call.span)
  }

  async function carryOut(one: Step): Promise<void> {
    if (one.does === 'begin') return await begin(one.actor, one.call)
    if (one.does === 'finish') return await finish(one.actor)
    if (one.does === 'end background') return await endOne(one.actor)
    if (one.does === 'named write') return await namedWrite(one.actor, one.path)
    if (one.does === 'destroy') return await destroy(one.actor, one.command)
    const command = acts[one.act](one.path, textAt(time))
    if (one.does === 'person') {
      bash(command, work)
      return record(null)
    }
    if (one.does === 'background act') {
      const background = await runningOf(one.actor)
      if (!background) return
      await background.shell.run(command)
      return record(background.span)
    }
    if (!open.has(one.actor)) await begin(one.actor, 'command')
    const call = open.get(one.actor)
    if (!call || !staysWithin(call, one)) return
    bash(command, work)
    record(call.span)
  }

  async function endBackground(): Promise<void> {
    for (const { actor: who } of [...running]) await endOne(who)
  }

  async function close(): Promise<void> {
    await endBackground()
    await points.stop()
  }

  try {
    for (const one of given) await carryOut(one)
    for (const who of ['other', 'run'] as const) await finish(who)
  } catch (error) {
    await close()
    throw error
  }
  return {
    history: { spans, writes },
    calls,
    endBackground,
    close,
  }
}

/** A script that replaced its own folder would leave nothing to check. */
function staysWithin({ call, span }: OpenCall, { path: named, act: chosen }: { path: string; act: keyof typeof acts }): boolean {
  if (call !== 'script') return true
  return span.covers(named) && chosen !== 'lose folder' && chosen !== 'file for folder'
}

function textAt(time: number): string {
  return String(time + 1_000).slice(-4)
}
