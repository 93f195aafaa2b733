// References in the configuration of another client: to variables, folders, and values that it asks for.
import { basename, sep } from 'node:path'
import type { Fields } from './fields.ts'

export interface ReferenceContext {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly workspace: string
  readonly inputs: ReadonlyMap<string, Fields>
  /** Whether `$NAME` is a reference in every text, not only in values of variables and headers. */
  readonly has_bare_references: boolean
}

export interface Resolved {
  readonly text: string
  /** References without a value here. They stay in the text. */
  readonly missing: readonly string[]
  /** References to variables that may contain secrets. */
  readonly secret: readonly string[]
  readonly usesWorkspace: boolean
  /** With the defaults of the file in place of variables that may contain secrets. */
  readonly public_text: string
}

/** `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${input:id}`, `${workspaceFolder}` (VS Code, Claude, Cursor), `{env:NAME}` (opencode). */
const reference = /\$\{([^{}]{1,300})\}|\{(env:[A-Za-z_][A-Za-z0-9_]{0,200}|file:[^{}]{1,300})\}/g
/** `$NAME` (Gemini); only as a whole value, because it is ordinary text elsewhere. */
const bare = /^\$([A-Za-z_][A-Za-z0-9_]{0,200})$/

/** Variables that name places, not secrets. Every other one may contain anything. */
const places = /^(?:HOME|USERPROFILE|USER|USERNAME|LOGNAME|PWD|TMPDIR|TEMP|TMP|LANG|APPDATA|LOCALAPPDATA|PROGRAMFILES|XDG_[A-Z_]+)$/

export function resolveReferences(value: string, context: ReferenceContext): Resolved {
  const missing: string[] = []
  const secret: string[] = []
  let usesWorkspace = false
  const defaults: [string, string][] = []

  function resolved(whole: string, name: string): string {
    if (/^(?:workspace(?:Folder|Root)(?:Basename)?|CLAUDE_PROJECT_DIR(?::-.*)?)$/.test(name)) usesWorkspace = true
    if (/^CLAUDE_PROJECT_DIR(?::-|$)/.test(name)) return context.workspace
    const folder = foldersOf(context)[name]
    if (folder !== undefined) return folder
    const [, variable = '', fallback] = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/.exec(name) ?? []
    const found = variable === 'HOME' ? context.home : context.environment[variable]
    const input = name.startsWith('input:') ? context.inputs.get(name.slice('input:'.length)) : undefined
    if (variable !== '' && !places.test(variable)) {
      secret.push(variable)
      if (fallback !== undefined) defaults.push([whole, fallback])
    }
    if (input) secret.push(name)
    // A default for a password would be public.
    const asked = input && input.password !== true && typeof input.default === 'string' && input.default !== '' ? input.default : undefined
    const given = variable === '' ? asked : found || fallback
    if (given === undefined) missing.push(name)
    return given ?? whole
  }

  const text = value
    .replace(bare, (whole, name: string) => resolved(whole, name))
    .replace(reference, (whole, dollar: string | undefined, braces: string | undefined) => resolved(whole, dollar ?? braces ?? ''))
  const public_text = defaults.reduce((filled, [whole, fallback]) => filled.replaceAll(whole, fallback), value)
  return { text, missing, secret, usesWorkspace, public_text }
}

function foldersOf({ home, workspace }: ReferenceContext): Readonly<Record<string, string | undefined>> {
  return {
    workspaceFolder: workspace,
    workspaceRoot: workspace,
    workspaceFolderBasename: basename(workspace),
    userHome: home,
    cwd: workspace,
    pathSeparator: sep,
    '/': sep,
  }
}

/** What a missing reference means, for a note. The description of an input is text of the file. */
export function describeReference(name: string, { inputs }: ReferenceContext): string {
  const description = name.startsWith('input:') ? inputs.get(name.slice('input:'.length))?.description : undefined
  return typeof description === 'string' ? `${name} (${description.slice(0, 200)})` : name
}
