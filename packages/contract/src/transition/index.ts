// A state changes only according to its table. This one function reads every table of the product.

export interface Transitions<State extends string, Trigger extends string> {
  /** What has the state: `run`, `task`, … Used in the text of a refusal. */
  readonly noun: string
  /** Words for triggers whose names cannot be used in a sentence. */
  readonly verbs?: Readonly<Partial<Record<Trigger, string>>>
  readonly states: readonly State[]
  readonly triggers: readonly Trigger[]
  readonly initial: State
  readonly rows: readonly { readonly from: readonly State[]; readonly on: Trigger; readonly to: State }[]
}

export interface TransitionRefusal<State extends string, Trigger extends string> {
  readonly ok: false
  readonly code: 'transition_refused'
  readonly noun: string
  readonly state: State
  readonly trigger: Trigger
  /** The triggers that are possible in this state: what the caller can do instead. */
  readonly allowed: readonly Trigger[]
  readonly message: string
}

export type TransitionOutcome<State extends string, Trigger extends string> =
  | { readonly ok: true; readonly state: State }
  | TransitionRefusal<State, Trigger>

/** The state after `trigger`, or a refusal that names both and lists what is possible. */
export function transition<State extends string, Trigger extends string>(
  table: Transitions<State, Trigger>,
  state: NoInfer<State>,
  trigger: NoInfer<Trigger>,
): TransitionOutcome<State, Trigger> {
  const row = table.rows.find((candidate) => candidate.on === trigger && candidate.from.includes(state))
  if (row) return { ok: true, state: row.to }
  const allowed = allowedTriggers(table, state)
  const verb = (name: Trigger) => table.verbs?.[name] ?? wordsOf(name)
  const instead = allowed.length > 0 ? `it can only ${allowed.map(verb).join(', ')}` : 'this state is final'
  return {
    ok: false,
    code: 'transition_refused',
    noun: table.noun,
    state,
    trigger,
    allowed,
    message: `a ${wordsOf(table.noun)} that is ${wordsOf(state)} cannot ${verb(trigger)}: ${instead}`,
  }
}

function wordsOf(name: string): string {
  return name.replaceAll('_', ' ')
}

function allowedTriggers<State extends string, Trigger extends string>(table: Transitions<State, Trigger>, state: State): Trigger[] {
  return table.triggers.filter((trigger) => table.rows.some((row) => row.on === trigger && row.from.includes(state)))
}

/** States without transitions, except for the given triggers (a restore leads out of every state). */
export function isTerminal<State extends string, Trigger extends string>(
  table: Transitions<State, Trigger>,
  state: NoInfer<State>,
  except: readonly NoInfer<Trigger>[] = [],
): boolean {
  return !table.rows.some((row) => row.from.includes(state) && !except.includes(row.on))
}
