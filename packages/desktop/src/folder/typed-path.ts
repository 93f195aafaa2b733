// What a typed path means to the folder browser: the folder to list, and how the names in it begin. Pure.

export interface TypedPath {
  readonly folder: string
  readonly starts_with: string
}

/** `~/pro` lists the folders of `~` that begin with `pro`; `~/` and `~` list those of `~`. */
export function parseTypedPath(typed: string): TypedPath {
  const path = typed.trimStart()
  if (path === '' || path === '~') return { folder: '~', starts_with: '' }
  const at = path.lastIndexOf('/')
  if (at < 0) return { folder: '~', starts_with: path }
  return { folder: at === 0 ? '/' : path.slice(0, at), starts_with: path.slice(at + 1) }
}

/** With `~` in place of the home folder: shorter, and the same on every screenshot. */
export function shortPath(path: string, home: string | null): string {
  if (home === null || home === '/') return path
  if (path === home) return '~'
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}

/** A folder as it is typed to list what is in it. */
export function opened(path: string): string {
  return path.endsWith('/') ? path : `${path}/`
}

/** The name of the folder, for places where the path is too long. */
export function folderName(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? path
}
