// The window's routes. The host serves the same page for each of them; this file decides what is rendered.
import { type MouseEvent, useSyncExternalStore } from 'react'

const changed = 'tandem:address'

export function useAddress(): string {
  return useSyncExternalStore(subscribe, () => location.pathname)
}

/** The part of the address after `#`, without it. */
export function useAnchor(): string {
  return useSyncExternalStore(subscribe, () => decoded(location.hash.slice(1)))
}

/** Addresses that are parts of one page: the changes of a conversation are beside its thread. */
export function pageOf(path: string): string {
  return /^\/c\/[^/]+(?=\/changes(?:\/|$))/.exec(path)?.[0] ?? path
}

/** A mistyped address shows a page that says it does not exist. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // Not valid percent-encoding.
    return part
  }
}

export function goTo(path: string): void {
  if (path !== location.pathname + location.hash) history.pushState(null, '', path)
  dispatchEvent(new Event(changed))
}

/** Follows a link inside the window; a click that opens a new tab is left to the browser. */
export function followLink(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  goTo(event.currentTarget.pathname + event.currentTarget.hash)
}

export const savedApprovalsAnchor = 'saved-approvals'

/** What the user always allows an agent. */
export function savedApprovalsAddress(agent_id: string): string {
  return `/agents/${encodeURIComponent(agent_id)}#${savedApprovalsAnchor}`
}

export function timelineAddress(run_id: string): string {
  return `/recovery/${encodeURIComponent(run_id)}`
}

export function restoreAddress(run_id: string, checkpoint_id: string): string {
  return `${timelineAddress(run_id)}/${encodeURIComponent(checkpoint_id)}`
}

/** A message in its conversation. */
export function messageAddress(conversation_id: string, message_id: string): string {
  return `/c/${encodeURIComponent(conversation_id)}#${encodeURIComponent(message_id)}`
}

/** A call in the conversation of its run; without a call, a failure that is a step of its own. */
export function callAddress(conversation_id: string, { call_id, step_id }: { call_id?: string | null; step_id?: string }): string {
  const part = call_id ? `call:${call_id}` : step_id === undefined ? '' : `error:${step_id}`
  return `/c/${encodeURIComponent(conversation_id)}${part === '' ? '' : `#${encodeURIComponent(part)}`}`
}

/** The review of the servers of a folder. */
export function folderServersAddress(folder: string): string {
  return `/mcp#${encodeURIComponent(folder)}`
}

/** A part of what runs taught; `id` is a policy candidate. */
export function learningAddress(section?: string, id?: string): string {
  return `/diagnostics/learning${section === undefined ? '' : `/${section}`}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`
}

/** A part of what users repeat; `id` is a recommendation. */
export function evolutionAddress(section?: string, id?: string): string {
  return `/diagnostics/evolution${section === undefined ? '' : `/${section}`}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`
}

export function memoryAddress(memory_id: string): string {
  return `/memory/memories/${encodeURIComponent(memory_id)}`
}

export function sourceAddress(source_id: string): string {
  return `/knowledge/sources/${encodeURIComponent(source_id)}`
}

/** A passage of the knowledge base, and the run that found it. To the host, a path with a dot is a file. */
export function passageAddress(passage_id: string, run_id?: string): string {
  const passage = `/knowledge/passages/${encodeURIComponent(passage_id).replaceAll('.', '%2E')}`
  return run_id === undefined ? passage : `${passage}/${encodeURIComponent(run_id)}`
}

export function workflowAddress(workflow_id: string): string {
  return `/workflows/${encodeURIComponent(workflow_id)}`
}

export function workflowRunAddress(workflow_run_id: string): string {
  return `/workflows/runs/${encodeURIComponent(workflow_run_id)}`
}

/** A new workflow that begins with the calls of a run. */
export function draftAddress(run_id: string): string {
  return `/workflows/from/${encodeURIComponent(run_id)}`
}

/** The team of a run; any member can be named. */
export function teamAddress(run_id: string): string {
  return `/teams/${encodeURIComponent(run_id)}`
}

export function conversationAddress(conversation_id: string): string {
  return `/c/${encodeURIComponent(conversation_id)}`
}

/** The changes of a conversation, or of one of its runs, beside its thread. */
export function changesAddress(conversation_id: string, run_id?: string): string {
  return `${conversationAddress(conversation_id)}/changes${run_id === undefined ? '' : `/${encodeURIComponent(run_id)}`}`
}

function subscribe(notify: () => void): () => void {
  addEventListener('popstate', notify)
  addEventListener('hashchange', notify)
  addEventListener(changed, notify)
  return () => {
    removeEventListener('popstate', notify)
    removeEventListener('hashchange', notify)
    removeEventListener(changed, notify)
  }
}
