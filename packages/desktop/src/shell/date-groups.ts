// Conversations by when they were last used: in the user's days, not in spans of 24 hours. Pure.
export const dateGroupNames = ['today', 'yesterday', 'week', 'month', 'earlier'] as const
export type DateGroupName = (typeof dateGroupNames)[number]

export interface DateGroup<Item> {
  readonly name: DateGroupName
  readonly items: readonly Item[]
}

/** `items`: the latest first. A group without any is left out. */
export function dateGroups<Item extends { readonly updated_at: string }>(items: readonly Item[], now: Date): readonly DateGroup<Item>[] {
  const groups = Map.groupBy(items, ({ updated_at }) => nameOf(new Date(updated_at), now))
  return dateGroupNames.flatMap((name) => (groups.has(name) ? [{ name, items: groups.get(name) ?? [] }] : []))
}

/** A device whose clock is ahead used it today. */
function nameOf(at: Date, now: Date): DateGroupName {
  const daysAgo = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)
  if (at >= daysAgo(0)) return 'today'
  if (at >= daysAgo(1)) return 'yesterday'
  if (at >= daysAgo(7)) return 'week'
  return at >= daysAgo(30) ? 'month' : 'earlier'
}
