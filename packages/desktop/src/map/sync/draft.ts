// What a person sets in the playground, and the write the rules see.
import { contentText, type EntityType, type MergeOutcome, merge, type TodoItem, type Write } from '@tandem/contract/sync'

export const times = ['10:00', '10:01', '10:02'] as const
type Time = (typeof times)[number]
export const contents = ['red', 'blue'] as const
export const devices = ['laptop', 'phone'] as const
export const itemIds = ['milk', 'bread'] as const
export const ops = ['upsert', 'delete'] as const

/** An item's state is followed by when it was set; an item that this side has never seen is `absent`. */
export const itemStates = ['absent', 'pending', 'completed', 'deleted'] as const
type ItemState = (typeof itemStates)[number]

export interface Draft {
  readonly op: (typeof ops)[number]
  readonly content: (typeof contents)[number]
  readonly time: Time
  readonly device: (typeof devices)[number]
  readonly items: Readonly<Record<(typeof itemIds)[number], { readonly state: ItemState; readonly time: Time }>>
}

export const firstDrafts: { readonly stored: Draft; readonly incoming: Draft } = {
  stored: {
    op: 'upsert',
    content: 'red',
    time: '10:01',
    device: 'laptop',
    items: { milk: { state: 'completed', time: '10:01' }, bread: { state: 'pending', time: '10:00' } },
  },
  incoming: {
    op: 'upsert',
    content: 'blue',
    time: '10:00',
    device: 'phone',
    items: { milk: { state: 'pending', time: '10:00' }, bread: { state: 'completed', time: '10:02' } },
  },
}

export function writeOf(entityType: EntityType, draft: Draft): Write {
  const todos = todosOf(draft)
  const payload = entityType === 'todos' ? { todos } : { colour: draft.content }
  return {
    op: draft.op,
    version: 1,
    updated_at: timestampOf(draft.time),
    device_id: draft.device,
    // The rules only ask whether two contents are the same; the text itself answers that as well as its hash.
    content_hash: contentText(draft.op, payload),
    ...(entityType === 'todos' && { todos }),
  }
}

/** What is stored after the verdict. */
export function entityAfter(entityType: EntityType, stored: Write | undefined, incoming: Write): Write | undefined {
  const outcome: MergeOutcome = merge(entityType, stored, incoming)
  if (outcome.verdict === 'applied') return incoming
  if (outcome.verdict === 'merged')
    return { ...incoming, todos: outcome.todos, content_hash: contentText('upsert', { todos: outcome.todos }) }
  return stored
}

function todosOf(draft: Draft): TodoItem[] {
  return itemIds.flatMap((id) => {
    const { state, time } = draft.items[id]
    return state === 'absent' ? [] : [{ id, title: id, state, state_ts: timestampOf(time) }]
  })
}

function timestampOf(time: Time): string {
  return `2026-01-01T${time}:00.000Z`
}
