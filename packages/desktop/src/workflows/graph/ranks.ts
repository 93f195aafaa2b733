// The rows of a layered graph: each node is below all nodes that lead to it.

export interface GraphEdge {
  readonly from: string
  readonly to: string
}

/** The row of each node, from 0. Edges that close a circle are ignored, as are edges to unknown nodes. */
export function ranksOf(ids: readonly string[], edges: readonly GraphEdge[]): ReadonlyMap<string, number> {
  const following = new Map<string, string[]>(ids.map((id) => [id, []]))
  for (const { from, to } of edges) if (following.has(to)) following.get(from)?.push(to)
  const ranks = new Map(ids.map((id) => [id, 0]))
  for (const id of endingLast(ids, following)) {
    for (const next of following.get(id) ?? []) ranks.set(next, Math.max(ranks.get(next) ?? 0, (ranks.get(id) ?? 0) + 1))
  }
  return ranks
}

/** The nodes so that each comes before those that follow it. Removes the edges that make this impossible. */
function endingLast(ids: readonly string[], following: ReadonlyMap<string, string[]>): readonly string[] {
  const seen = new Map<string, 'open' | 'done'>()
  const done: string[] = []
  for (const first of ids) {
    if (seen.has(first)) continue
    seen.set(first, 'open')
    // Not recursive: a chain may have hundreds of nodes.
    const path = [{ id: first, at: 0 }]
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const nexts = following.get(top.id) ?? []
      const next = nexts[top.at]
      if (next === undefined) {
        seen.set(top.id, 'done')
        done.push(top.id)
        path.pop()
      } else if (seen.get(next) === 'open') {
        nexts.splice(top.at, 1)
      } else {
        top.at += 1
        if (seen.has(next)) continue
        seen.set(next, 'open')
        path.push({ id: next, at: 0 })
      }
    }
  }
  return done.reverse()
}
