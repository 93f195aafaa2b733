// A server of a folder for a run that works in a copy of that folder: paths in the folder become paths in the copy. Pure.
import type { Admission } from '../admission.ts'

/** `folder`: the one whose file defines the server; null if none does. */
export function inCopy(admission: Admission, folder: string | null, workspace: string): Admission {
  const { server, env, hidden } = admission
  if (folder === null || folder === workspace || server.transport !== 'stdio') return admission
  const moved = (text: string) => withFolder(text, folder, workspace)
  const values = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, moved(value)]))
  return {
    ...admission,
    server: {
      ...server,
      command: moved(server.command),
      args: server.args.map(moved),
      working_directory: server.working_directory === null ? null : moved(server.working_directory),
    },
    env: values,
    hidden: new Map([...hidden, ...Object.entries(values).map(([name, value]) => [value, name] as const)]),
  }
}

/** Every mention of the folder, or of something in it; not of a folder whose name only begins the same. */
export function withFolder(text: string, from: string, to: string): string {
  const parts = text.split(from)
  return parts.reduce((whole, part, index) => {
    if (index === 0) return part
    const before = parts[index - 1] ?? ''
    const isWhole = !/^[\w.-]/.test(part) && !/[\w.-]$/.test(before)
    return `${whole}${isWhole ? to : from}${part}`
  }, '')
}
