// Devices, a cloud and random failures in one process. Everything that happens follows from the seed.
import { canonicalJson, entityTypes, type TodoItem } from '@tandem/contract/sync'
import type { Answer, SyncCloud } from '../../../src/sync/transport/cloud.ts'
import { keyOf, type TestCloud, testCloud } from './test-cloud.ts'
import {
  agentNamed,
  bindingOf,
  type InjectedBug,
  ProcessKilled,
  serverNamed,
  type TestDevice,
  testDevice,
  todoItem,
} from './test-device.ts'
import { seededRandom } from './test-random.ts'
import { differenceOf, dumpCloud, dumpDevice } from './test-state-dump.ts'

export interface Fault {
  readonly seed: number
  readonly what: string
}

const start = Date.parse('2026-03-01T09:00:00.000Z')
const day = 86_400_000
const contested = [
  { entity_type: 'agents', entity_id: 'a1' },
  { entity_type: 'agent_skill_bindings', entity_id: 'b1' },
  { entity_type: 'mcp_servers', entity_id: 's1' },
] as const
const conversationOfTodos = ['0199aaaa-0000-7000-8000-000000000001', '0199aaaa-0000-7000-8000-000000000002']

/** Null if all invariants held. */
export async function simulate(seed: number, planted?: InjectedBug): Promise<Fault | null> {
  const world = openWorld(seed, planted)
  try {
    await world.trouble()
    const unquiet = await world.quiet()
    if (unquiet) return { seed, what: unquiet }
    const what = world.verdict()
    return what === null ? null : { seed, what }
  } catch (error) {
    if (error instanceof ProcessKilled) throw error
    return { seed, what: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  } finally {
    world.dispose()
  }
}

function openWorld(seed: number, planted?: InjectedBug) {
  const luck = seededRandom(seed)
  let wall = start
  const cloud = testCloud(() => wall)
  const backups: ReturnType<TestCloud['backup']>[] = []
  /** Requests in flight; the simulation chooses which one continues. */
  const travelling: (() => void)[] = []
  const cut = new Set<string>()
  /** Devices that have not pulled since tombstones were purged: in reality, that takes ninety days. */
  const away = new Set<string>()
  const written = new Map<string, Set<string>>()
  const items: { readonly entity_id: string; readonly item: TodoItem }[] = []
  const commits: { readonly key: string; readonly updated_at: number; readonly version: number }[] = []
  const facts = new Set<string>()
  const cursors = new Map<string, { epoch: string; cursor: string }>()
  let calm = false
  let counter = 0
  let wrong: string | null = null

  const devices: TestDevice[] = Array.from({ length: 2 + luck.below(4) }, (_, index) => {
    const name = `d${index}`
    // Ids have their own random numbers, so that drawing one does not change what happens.
    const ids = seededRandom(seed * 8 + index + 1)
    const fill = (bytes: Buffer) => {
      for (let at = 0; at < bytes.length; at += 4) bytes.writeUInt32BE(ids.below(4_294_967_296), at)
    }
    return testDevice(name, start, () => transport(name), planted, fill)
  })

  function transport(name: string): SyncCloud {
    return {
      push: (request) => travel(name, () => cloud.push(request)),
      pull: (query) => travel(name, () => cloud.pull(query)),
    }
  }

  async function travel<Body>(name: string, call: () => Answer<Body>): Promise<Answer<Body>> {
    await new Promise<void>((resolve) => travelling.push(resolve))
    if (cut.has(name)) return { kind: 'unreachable', detail: 'cut' }
    if (calm) return call()
    if (luck.chance(0.05)) return { kind: 'unreachable', detail: 'lost on the way' }
    if (luck.chance(0.03)) return { kind: 'refused', status: 401, code: 'token_expired', detail: 'expired' }
    if (luck.chance(0.03)) return { kind: 'refused', status: 503, code: 'restarting', detail: 'restarting' }
    const answer = call()
    // Delivered twice.
    if (luck.chance(0.08)) call()
    // Requests of others overtake the reply.
    if (luck.chance(0.3)) await new Promise<void>((resolve) => travelling.push(resolve))
    return luck.chance(0.1) ? { kind: 'unreachable', detail: 'the reply was lost' } : answer
  }

  function note(key: string, text: string): void {
    written.set(key, (written.get(key) ?? new Set()).add(text))
  }

  function write(device: TestDevice): void {
    const records = device.records()
    counter += 1
    const name = `${device.name}-${counter}`
    const kind = luck.below(10)
    if (kind < 4) {
      const one = luck.of(contested)
      const { updated_at, version } = put(device, one, name)
      // A change dated ahead of the cloud is restamped before it is accepted.
      if (updated_at <= wall) commits.push({ key: keyOf(one), updated_at, version })
    } else if (kind < 5) {
      const { entity_type, entity_id } = luck.of(contested)
      records.remove(entity_type, entity_id)
    } else if (kind < 7) {
      const id = luck.of(conversationOfTodos)
      const todos = records.get('todos', id)?.payload.todos ?? []
      const item = todoItem(device.store(), `t${luck.below(3)}`, name, luck.of(['pending', 'completed', 'deleted']))
      note(`todos ${id}/${item.id}`, name)
      records.put('todos', id, { todos: [...todos.filter(({ id: other }) => other !== item.id), item] })
      if (Date.parse(item.state_ts) <= wall) items.push({ entity_id: id, item })
    } else converse(device, name)
  }

  function put(device: TestDevice, one: (typeof contested)[number], name: string) {
    const records = device.records()
    const { entity_type, entity_id } = one
    const payloads = { agents: agentNamed(name), agent_skill_bindings: bindingOf(name), mcp_servers: serverNamed(name) }
    note(keyOf(one), canonicalJson(payloads[entity_type]))
    switch (entity_type) {
      case 'agents':
        return records.put(entity_type, entity_id, payloads.agents)
      case 'agent_skill_bindings':
        return records.put(entity_type, entity_id, payloads.agent_skill_bindings)
      case 'mcp_servers':
        return records.put(entity_type, entity_id, payloads.mcp_servers)
    }
  }

  function converse(device: TestDevice, name: string): void {
    const journal = device.journal()
    const mine = journal.runs({ limit: -1 }).filter(({ device_id, state }) => device_id === device.store().device_id && state === 'running')
    const [run] = mine
    if (!run || luck.chance(0.3)) {
      const conversation = journal.conversations.create({ agent_id: 'a1', title: name, workspace: `/home/${device.name}/secret-folder` })
      const message_id = device.store().transaction(() => {
        const id = journal.messages.write({ conversation: conversation.no, run: null, role: 'user', author: 'person', text: name })
        journal.start({ conversation: conversation.no, agent_id: 'a1', title: name, model: 'm', sandbox_mode: 'workspace', message_id: id })
        return id
      })
      facts.add(message_id)
      return
    }
    const steps = journal.steps(run.run_id)
    const open = steps.find(
      ({ step }) =>
        step.kind === 'tool.call' && !steps.some((other) => other.step.kind === 'tool.result' && other.step.call_id === step.call_id),
    )
    if (open?.step.kind === 'tool.call') {
      const { call_id, seq } = open.step
      journal.settle(run.run_id, {
        call_id,
        tool: 'fs.read',
        call_seq: seq,
        outcome: 'succeeded',
        output: { text: name },
        output_file: null,
        truncated: false,
        failure_contract: null,
        checkpoint_id: null,
        duration_ms: 1,
      })
      facts.add(call_id)
    } else if (luck.chance(0.6)) {
      const call_id = device.store().newId()
      facts.add(
        journal.append(run.run_id, { kind: 'tool.call', call_id, tool: 'fs.read', arguments: '{}' }, { wire_id: 'here-only' }).step_id,
      )
    } else if (luck.chance(0.5)) {
      facts.add(journal.messages.write({ conversation: run.conversation, run: run.no, role: 'assistant', author: 'agent', text: name }))
    } else {
      facts.add(journal.append(run.run_id, { kind: 'run.completed', usage: run.usage }).step_id)
    }
  }

  /** Any action of a device may be its last. */
  function attempt(device: TestDevice, work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!(error instanceof ProcessKilled)) throw error
      device.restart()
    }
  }

  const rounds = new Map<TestDevice, Promise<unknown>>()

  function sync(device: TestDevice): void {
    if (rounds.has(device)) return
    const engine = device.engine()
    const work = away.has(device.name) || luck.chance(0.6) ? engine.round() : engine.pushOnly()
    const round = work
      .then((outcome) => {
        if (outcome.kind === 'done') away.delete(device.name)
        watchCursor(device)
      })
      .catch((error: unknown) => {
        if (!(error instanceof ProcessKilled)) throw error
        // The next process may have started already.
        if (device.engine() === engine) device.restart()
      })
      .catch((error: unknown) => {
        wrong ??= error instanceof Error ? (error.stack ?? error.message) : String(error)
      })
      .finally(() => rounds.delete(device))
    rounds.set(device, round)
  }

  function watchCursor(device: TestDevice): void {
    const { epoch, cursor_ts, recovery, snapshot_ts } = device.engine().state.read()
    if (epoch === null || cursor_ts === null || recovery !== 'none' || snapshot_ts !== null) return
    const before = cursors.get(device.name)
    if (before?.epoch === epoch && before.cursor > cursor_ts)
      wrong ??= `the cursor of ${device.name} went back from ${before.cursor} to ${cursor_ts}`
    cursors.set(device.name, { epoch, cursor: cursor_ts })
  }

  async function settleMicrotasks(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
  }

  async function letGo(): Promise<void> {
    if (travelling.length > 0) travelling.splice(luck.below(travelling.length), 1)[0]?.()
    await settleMicrotasks()
  }

  async function finishRounds(): Promise<void> {
    while (rounds.size > 0) await letGo()
  }

  async function misfortune(device: TestDevice): Promise<void> {
    switch (luck.below(9)) {
      case 0:
        if (cut.delete(device.name)) return
        cut.add(device.name)
        return
      case 1:
        device.clock.set(device.clock.now() + luck.of([-3, 3, -1, 1]) * day)
        return
      case 2:
        device.killAfter(1 + luck.below(60))
        return
      case 3:
        device.restart()
        return
      case 4:
        backups.push(cloud.backup())
        return
      case 5: {
        const backup = backups.length > 0 && luck.chance(0.6) ? luck.of(backups) : undefined
        if (backup) cloud.restore(backup)
        return
      }
      case 6: {
        if (!luck.chance(0.5)) return
        // After ninety days, no request is still in flight.
        await finishRounds()
        wall += 90 * day
        for (const one of devices) one.clock.set(one.clock.now() + 90 * day)
        cloud.purge()
        backups.length = 0
        for (const one of devices) away.add(one.name)
        return
      }
      default:
        wall += luck.below(3)
    }
  }

  function tick(): void {
    const by = luck.of([0, 0, 0, 1, 5, 1_000])
    wall += by
    for (const device of devices) device.clock.set(device.clock.now() + by)
  }

  async function trouble(): Promise<void> {
    const length = 40 + luck.below(60)
    for (let at = 0; at < length && wrong === null; at += 1) {
      const device = luck.of(devices)
      const dice = luck.next()
      tick()
      if (dice < 0.4) attempt(device, () => write(device))
      else if (dice < 0.7) sync(device)
      else if (dice < 0.8) await misfortune(device)
      else await letGo()
    }
  }

  async function quiet(): Promise<string | null> {
    calm = true
    cut.clear()
    for (const device of devices) device.killAfter(Number.POSITIVE_INFINITY)
    await finishRounds()
    const longest = 30
    for (let round = 0; round < longest; round += 1) {
      if (wrong !== null) return wrong
      let busy = false
      for (const device of devices) {
        tick()
        const before = [...dumpDevice(device)].join()
        const engine = device.engine()
        busy ||= engine.outbox.count() > 0
        let outcome: string | undefined
        void engine.round().then(
          ({ kind }) => {
            outcome = kind
          },
          (error: unknown) => {
            outcome = error instanceof Error ? (error.stack ?? error.message) : String(error)
          },
        )
        while (outcome === undefined) await letGo()
        if (outcome !== 'done' && outcome !== 'again') return outcome
        watchCursor(device)
        busy ||= outcome !== 'done' || before !== [...dumpDevice(device)].join()
      }
      if (!busy) return null
    }
    return `not quiet after ${longest} rounds`
  }

  function verdict(): string | null {
    if (wrong !== null) return wrong
    const [first, ...others] = devices.map((device) => ({ name: device.name, picture: dumpDevice(device) }))
    if (!first) return 'nobody is there'
    for (const other of others) {
      const difference = differenceOf(first.picture, other.picture)
      if (difference) return `${first.name} and ${other.name} differ in ${difference}`
    }
    const difference = differenceOf(dumpCloud(cloud), first.picture, ['run ', 'conversation '])
    if (difference) return `the cloud and ${first.name} differ in ${difference}`
    for (const id of facts) if (![...first.picture.keys()].some((key) => key.endsWith(` ${id}`))) return `the fact ${id} is lost`
    return deletedStayDeleted() ?? nothingOvertaken() ?? noItemLost(first.picture) ?? quarantineIsNamed() ?? nothingInvented(first.picture)
  }

  function deletedStayDeleted(): string | null {
    const rows = cloud.rows()
    for (const [key, { write: last, change }] of cloud.ledger) {
      const now = rows.get(key)
      if (entityTypes[change.entity_type] !== 'last_write_wins') continue
      if (last.op === 'delete') {
        if (now && now.change.op === 'upsert') return `${key} was deleted and is back`
      } else if (!now) return `${key} was taken and is gone`
      else if (now.change.updated_at < change.updated_at) return `${key} went back to an older write`
    }
    return null
  }

  /** A write is replaced only by a later one, or is quarantined for the user to see. */
  function nothingOvertaken(): string | null {
    const aside = new Set(devices.flatMap((device) => device.engine().quarantine.list()).map(keyOf))
    for (const { key, updated_at, version } of commits) {
      const now = cloud.rows().get(key)?.change
      if (!now || aside.has(key)) continue
      const order = Date.parse(now.updated_at) - updated_at || now.version - version
      if (order < 0) return `${key}: a write of ${updated_at} gave way to one of ${Date.parse(now.updated_at)}`
    }
    return null
  }

  /** An item that was written exists, unchanged or as a later write left it. */
  function noItemLost(picture: ReadonlyMap<string, string>): string | null {
    for (const { entity_id, item } of items) {
      const now = todosIn(picture.get(`todos ${entity_id}`)).find(({ id }) => id === item.id)
      if (!now) return `the item ${item.title} of ${entity_id} is lost`
      if (now.state_ts < item.state_ts) return `the item ${item.title} of ${item.state_ts} gave way to ${now.title} of ${now.state_ts}`
    }
    return null
  }

  function quarantineIsNamed(): string | null {
    const codes = devices.flatMap((device) => device.engine().quarantine.list()).filter(({ code }) => code !== 'deleted_elsewhere')
    return codes.length === 0 ? null : `quarantined: ${JSON.stringify(codes[0])}`
  }

  function nothingInvented(picture: ReadonlyMap<string, string>): string | null {
    for (const [key, text] of picture) {
      const known = written.get(key)
      if (known && !known.has(canonicalJson(JSON.parse(text).payload))) return `nobody wrote ${text}`
      if (!key.startsWith('todos ')) continue
      for (const { id, title } of todosIn(text))
        if (!written.get(`${key}/${id}`)?.has(title)) return `nobody wrote the item ${title} of ${key}`
    }
    return null
  }

  function dispose(): void {
    for (const device of devices) device.dispose()
  }

  return { trouble, quiet, verdict, dispose }
}

function todosIn(text: string | undefined): readonly TodoItem[] {
  return text === undefined ? [] : JSON.parse(text).payload.todos
}
