// Paths as they leave a device: they start with a marker in place of the path of the workspace or the home folder.
export * from './approval-lines.ts'

/** Folders by their absolute paths. An empty name and the root of a disk are not marked: they identify no one. */
export interface MarkedFolders {
  readonly workspace: string
  /** All paths of the home folder; the first one is shown. */
  readonly homes: readonly string[]
}

const workspaceMarker = '$WORKSPACE'
const homeMarker = '$HOME'

const markerAtStart = /^\$(?:WORKSPACE|HOME)(?=\/|$)/
/** A real relative path may start like a marker. It gets an additional `$` when it is marked and loses it when it is unmarked. */
const escapable = /^\$+(?:WORKSPACE|HOME)(?=\/|$)/
const escaped = /^\$\$+(?:WORKSPACE|HOME)(?=\/|$)/

/** The innermost folder wins, and the workspace if both are the same. A path outside both is unchanged. */
export function markPath(path: string, { workspace, homes }: MarkedFolders): string {
  const places = [{ marker: workspaceMarker, folder: workspace }, ...homes.map((folder) => ({ marker: homeMarker, folder }))]
  let marked: string | null = null
  let longest = 0
  for (const { marker, folder } of places) {
    const rest = below(folder, path)
    const { length } = withoutEnd(folder)
    if (rest === null || length <= longest) continue
    marked = `${marker}${rest}`
    longest = length
  }
  return marked ?? (escapable.test(path) ? `$${path}` : path)
}

/** The path on this device. A marker whose folder is not known here is unchanged. */
export function unmarkPath(marked: string, places: MarkedFolders): string {
  return replaced(marked, places, (rest) => rest)
}

/** The path for users: absolute on its own device, `workspace/…` and `~/…` where the folders are not known. */
export function showPath(marked: string, places: MarkedFolders | null): string {
  return replaced(marked, places, (rest, marker) => `${marker === workspaceMarker ? 'workspace' : '~'}${rest.slice(marker.length)}`)
}

function replaced(marked: string, places: MarkedFolders | null, unknown: (marked: string, marker: string) => string): string {
  if (escaped.test(marked)) return marked.slice(1)
  const [marker] = markerAtStart.exec(marked) ?? []
  if (marker === undefined) return marked
  const folder = withoutEnd((marker === workspaceMarker ? places?.workspace : places?.homes[0]) ?? '')
  const rest = marked.slice(marker.length)
  return folder === '' ? unknown(marked, marker) : `${folder}${isWindows(folder) ? rest.replaceAll('/', '\\') : rest}`
}

/** What follows the folder in the path, with `/` between names; null for a path that is not inside, and for a folder that has no name. */
function below(folder: string, path: string): string | null {
  const start = withoutEnd(folder)
  if (start === '' || /^[A-Za-z]:$/.test(start)) return null
  const windows = isWindows(start)
  const isSame = windows ? path.slice(0, start.length).toLowerCase() === start.toLowerCase() : path.startsWith(start)
  const rest = path.slice(start.length)
  if (!isSame || !(rest === '' || rest.startsWith('/') || (windows && rest.startsWith('\\')))) return null
  return windows ? rest.replaceAll('\\', '/') : rest
}

function withoutEnd(folder: string): string {
  return folder.replace(isWindows(folder) ? /[\\/]+$/ : /\/+$/, '')
}

function isWindows(folder: string): boolean {
  return /^(?:[A-Za-z]:|\\\\)/.test(folder)
}
