import { createContext } from 'react'
import type { NodeStatus } from './node-status.ts'

export interface GraphContextValue {
  /** Null for a draft. */
  readonly statuses: ReadonlyMap<string, NodeStatus> | null
  readonly selected: string | null
  /** Another object for each time that a node gets the focus. */
  readonly focused: { readonly node_id: string } | null
  readonly onSelect: ((node_id: string) => void) | undefined
}

/** What changes while the graph stays the same: its nodes read it, so that the graph need not be built again. */
export const GraphContext = createContext<GraphContextValue>({ statuses: null, selected: null, focused: null, onSelect: undefined })
