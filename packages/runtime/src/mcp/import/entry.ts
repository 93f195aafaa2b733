// One server of another client as a definition, with what could not be taken over.
import { resolve } from 'node:path'
import { defaultMcpApprovalMode } from '@tandem/contract/mcp'
import { type DefinitionPreview, isForbiddenVariable, previewDefinition, readDefinition, visible } from '../definition.ts'
import type { SecretKind } from '../ports.ts'
import { entryKind } from './entry-kind.ts'
import { readEnvFile } from './env-file.ts'
import { type Fields, isFields } from './fields.ts'
import { describeReference, type ReferenceContext, resolveReferences } from './references.ts'

export interface ImportedSecret {
  readonly kind: SecretKind
  readonly name: string
  readonly value: string
}

export interface ImportedServer {
  readonly preview: DefinitionPreview
  /** They stay on this device; a preview shows only their names. */
  readonly secrets: readonly ImportedSecret[]
  /** What was not taken over, or differs from the other client. */
  readonly notes: readonly string[]
}

/** Fields whose content is used, or that only repeat it. */
const used =
  /^(?:type|transport|command|args|env|environment|envFile|env_file|env_vars|cwd|url|serverUrl|httpUrl|headers|http_headers|env_http_headers|bearer_token_env_var|disabled|enabled|name|oauth|source|tcp|includeTools|enabled_tools|excludeTools|disabled_tools|disabledTools|timeout|tool_timeout_sec)$/

/** Fields with a counterpart in Tandem that is set elsewhere; `ID` stands for the server. */
const elsewhere: Readonly<Record<string, string>> = {
  startup_timeout_sec: 'every server has 60 s to start',
  startup_timeout_ms: 'every server has 60 s to start',
  trust: 'its tools ask for approval; change it with tandem policy set mcp.ID.TOOL --approval-mode auto',
  autoApprove: 'its tools ask for approval; change it with tandem policy set mcp.ID.TOOL --approval-mode auto',
  bearer_token:
    'add the header with tandem mcp update ID --header Authorization, and set its value with tandem mcp secret ID header Authorization',
  alwaysAllow: 'its tools ask for approval; change it with tandem policy set mcp.ID.TOOL --approval-mode auto',
}

/** A string says why the server cannot be imported. */
export function readEntry(
  name: string,
  entry: Fields,
  server_id: string,
  context: ReferenceContext,
  /** Why the other client does not use it. */
  off: string | null = null,
): ImportedServer | string {
  const notes: string[] = []
  const secrets: ImportedSecret[] = []
  const shared = {
    server_id,
    name: name.trim().slice(0, 500) || server_id,
    enabled: entry.disabled !== true && entry.enabled !== false && off === null,
    auto_reconnect: true,
    default_approval_mode: defaultMcpApprovalMode,
  }
  const decided = entryKind(entry)
  if (decided.kind === 'none') return decided.why
  notes.push(...decided.notes)
  const server = decided.kind === 'address' ? readHttp(decided.address) : readStdio()
  if (typeof server === 'string') return server
  const read = readDefinition({ ...shared, ...server, ...toolFields() })
  if (!read.ok) return read.failure.message
  noteFields()
  return { preview: previewDefinition(read.value), secrets, notes }

  /** Commands, arguments and addresses are synchronized: a reference to a secret stays a reference. */
  function publicText(field: string, value: string): string {
    // `$5` and `$HOME` are ordinary text for most clients.
    if (/^\$[A-Za-z_]\w*$/.test(value) && !context.has_bare_references) return value
    const whole = resolveReferences(value, context)
    const { text, missing, secret, usesWorkspace } = whole.public_text === value ? whole : resolveReferences(whole.public_text, context)
    const kept = [...new Set([...missing, ...secret])]
    if (whole.public_text !== value && kept.length === 0) {
      const names = [...new Set(whole.secret)].map(visible).join(', ')
      notes.push(`${field} has the default in place of ${names}: change it with tandem mcp update ${server_id}`)
    }
    if (kept.length > 0) {
      const names = kept.map((each) => visible(describeReference(each, context))).join(', ')
      notes.push(
        `${field} refers to ${names}, which is not filled in, because it would be synchronized: change it with tandem mcp update ${server_id}`,
      )
      return value
    }
    if (usesWorkspace) notes.push(`${field} now names the folder ${context.workspace}, whatever folder a run works in`)
    return text
  }

  function toolFields(): Fields {
    const include_tools = toolNames('includeTools') ?? toolNames('enabled_tools')
    const exclude_tools = toolNames('excludeTools') ?? toolNames('disabled_tools') ?? toolNames('disabledTools')
    const timeout_seconds = callSeconds()
    return {
      ...(include_tools ? { include_tools } : {}),
      ...(exclude_tools ? { exclude_tools } : {}),
      ...(timeout_seconds === null ? {} : { timeout_seconds }),
    }
  }

  /** Gemini allows a name with parameters, `tool(args)`. */
  function toolNames(field: string): string[] | null {
    const value = entry[field]
    if (value === undefined || value === null) return null
    const names = Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string' && each.trim() !== '') : []
    if (!Array.isArray(value) || names.length < value.length)
      notes.push(`${field} has parts that are not names of tools; they are left out`)
    return Array.isArray(value)
      ? [
          ...new Set(
            names.map((each) =>
              each
                .replace(/\(.*\)$/s, '')
                .trim()
                .slice(0, 500),
            ),
          ),
        ]
      : null
  }

  /** The limit of a call. Some clients write milliseconds, some seconds; nobody limits a call to a second, or allows a quarter of an hour. */
  function callSeconds(): number | null {
    const { timeout, tool_timeout_sec, type } = entry
    // In opencode, it is the limit for the list of tools.
    if (type === 'local' || type === 'remote') {
      if (timeout !== undefined) notes.push('timeout is not taken over: every server has 60 s to start')
      return null
    }
    const given = tool_timeout_sec ?? timeout
    if (given === undefined || given === null) return null
    if (typeof given !== 'number' || !(given > 0)) {
      notes.push('timeout is left out: it is not a number of seconds or milliseconds')
      return null
    }
    const seconds = tool_timeout_sec === undefined && given >= 1_000 ? given / 1_000 : given
    return Math.min(86_400, Math.max(1, Math.round(seconds)))
  }

  /** Whether the server has it; its value may be missing. */
  function addSecret(kind: SecretKind, key: string, value: unknown): boolean {
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    if (typeof text !== 'string') {
      notes.push(`${visible(key)} is left out: its value is not a text`)
      return false
    }
    if (typeof value !== 'string') notes.push(`${visible(key)} is passed on as text: its value is a ${typeof value}`)
    const { text: filled, missing } = resolveReferences(text, context)
    if (kind === 'header' && /[^\x20-\x7e]/.test(filled))
      notes.push(`${visible(key)} has letters outside ASCII, which some servers cannot read`)
    if (kind === 'env' && text === '') {
      notes.push(`${visible(key)} is empty: if the server needs a value, set it with tandem mcp secret ${server_id} env ${visible(key)}`)
      secrets.push({ kind, name: key, value: '' })
    } else if (missing.length > 0 || filled === '') {
      const why = missing.map((each) => visible(describeReference(each, context))).join(', ') || 'it is empty'
      notes.push(`${visible(key)} has no value yet (${why}): set it with tandem mcp secret ${server_id} ${kind} ${visible(key)}`)
    } else secrets.push({ kind, name: key, value: filled })
    return true
  }

  function readStdio(): Fields | string {
    const { command: given, args: rest } = entry
    // opencode has one list, Zed an object with a path.
    const isPath = isFields(given) && typeof given.path === 'string'
    const [command, ...own] = Array.isArray(given) ? given : [isPath ? given.path : given]
    const args = [
      ...own,
      ...(isPath && Array.isArray(given.args) ? given.args : []),
      ...(rest === undefined || rest === null ? [] : Array.isArray(rest) ? rest : [rest]),
    ]
    if (typeof command !== 'string' || command === '') return 'its command is not a text'
    if (!args.every((each) => typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean'))
      return 'an argument is not a text'
    const own_env = isPath ? variables('env', given.env) : {}
    const env = { ...variables('env', entry.env), ...variables('environment', entry.environment), ...own_env }
    return {
      transport: 'stdio',
      command: publicText('the command', command),
      args: args.map(argument),
      env_names: [...new Set([...readVariables(env), ...fromFile(env), ...forwarded()])],
      working_directory: workingDirectory(),
    }
  }

  function argument(value: unknown, index: number): string {
    if (typeof value !== 'string') notes.push(`argument ${index + 1} is passed on as text: it is a ${typeof value}`)
    return publicText(`argument ${index + 1}`, String(value))
  }

  function workingDirectory(): string | null {
    if (typeof entry.cwd !== 'string' || entry.cwd === '') return null
    // The folder of a run is what this means.
    if (/^(?:\.|\$\{workspace(?:Folder|Root)\}|\$\{cwd\})\/?$/.test(entry.cwd)) return null
    const folder = publicText('the working directory', entry.cwd)
    if (/\$\{|\{env:/.test(folder)) return null
    const path = resolve(context.workspace, folder.replace(/^~(?=\/|$)/, context.home))
    if (/^[^~/\\$]/.test(entry.cwd))
      notes.push(`the working directory is relative: it is now ${visible(path)}, whatever folder a run works in`)
    return path
  }

  function variables(field: string, value: unknown): Fields {
    if (value === undefined || value === null) return {}
    if (isFields(value)) return value
    notes.push(`${field} is left out: it is not an object`)
    return {}
  }

  function readVariables(all: Fields): string[] {
    return Object.entries(all).flatMap(([key, value]) => (isUsableVariable(key) && addSecret('env', key, value) ? [key] : []))
  }

  function isUsableVariable(key: string): boolean {
    const fault = isForbiddenVariable(key)
      ? 'it would run code that the command does not show'
      : /^[A-Za-z_][A-Za-z0-9_.-]{0,199}$/.test(key)
        ? null
        : 'it is not a valid name'
    if (fault !== null) notes.push(`the variable ${visible(key.slice(0, 200))} is left out: ${fault}`)
    return fault === null
  }

  /** Codex names variables of the device to pass on; they are read when the server starts. */
  function forwarded(): string[] {
    const given = Array.isArray(entry.env_vars) ? entry.env_vars : []
    const [elsewhere, here] = [given.filter(isRemote), given.filter((each) => !isRemote(each))]
    for (const each of elsewhere)
      notes.push(`the variable ${visible(String(each.name).slice(0, 200))} is left out: it is not one of this device`)
    const all = here.map((each) => (isFields(each) ? each.name : each))
    return all.filter((each): each is string => {
      const isUsable = typeof each === 'string' && /^[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(each) && !isForbiddenVariable(each)
      // Every server gets these.
      if (!isUsable && each !== 'PATH' && each !== 'HOME')
        notes.push(`the variable ${visible(String(each).slice(0, 200))} is left out: it cannot be passed on`)
      return isUsable
    })
  }

  /** Those that the entry does not set itself. Their values are not references. */
  function fromFile(own: Fields): string[] {
    const path = entry.envFile ?? entry.env_file
    if (typeof path !== 'string') return []
    const file = resolve(context.workspace, resolveReferences(path.replace(/^~(?=\/)/, context.home), context).text)
    const found = readEnvFile(file)
    if (typeof found === 'string') {
      notes.push(`the variables of ${visible(file)} are left out: ${found}`)
      return []
    }
    const taken = Object.entries(found).filter(([key]) => !Object.hasOwn(own, key) && isUsableVariable(key))
    for (const [key, value] of taken) secrets.push({ kind: 'env', name: key, value })
    const names = taken.map(([key]) => key)
    notes.push(
      `the values of ${names.join(', ') || 'no variables'} are copied from ${visible(file)}; later changes of the file have no effect`,
    )
    return names
  }

  function readHttp(text: string): Fields | string {
    const [base = '', ...rest] = text.split('?')
    const filled = publicText('the address', base)
    if (!URL.canParse(filled)) return `${visible(filled.slice(0, 200))} is not a valid address`
    const url = new URL(filled)
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return `its address starts with ${visible(url.protocol)}, and only http: and https: are supported`
    if (url.username || url.password) return 'the address contains a password; use a header'
    const query = [...new URLSearchParams(rest.join('?').replace(/#.*$/, ''))]
    const headers = { ...variables('headers', entry.headers), ...variables('http_headers', entry.http_headers), ...headersFromVariables() }
    const query_names = [...new Set(query.map(([key]) => key))]
    for (const [key, value] of query) addSecret('query', key, value)
    return { transport: 'http', url: `${url.origin}${url.pathname}`, header_names: readHeaders(headers), query_names }
  }

  function readHeaders(all: Fields): string[] {
    return Object.entries(all).flatMap(([key, value]) => {
      if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}$/.test(key))
        notes.push(`the header ${visible(key.slice(0, 200))} is left out: it is not a valid name`)
      else if (addSecret('header', key, value)) return [key]
      return []
    })
  }

  function headersFromVariables(): Fields {
    const { bearer_token_env_var: bearer, env_http_headers: named } = entry
    const own = Object.entries(variables('env_http_headers', named)).map(([key, value]) => [
      key,
      typeof value === 'string' ? `\${${value}}` : value,
    ])
    return { ...Object.fromEntries(own), ...(typeof bearer === 'string' ? { Authorization: `Bearer \${${bearer}}` } : {}) }
  }

  function noteFields(): void {
    if (isFields(entry.oauth)) {
      const id = entry.oauth.clientId ?? entry.oauth.client_id
      const option = typeof id === 'string' && /^[\w.@:/-]{1,200}$/.test(id) ? ` --client-id ${id}` : ''
      notes.push(`sign in with tandem mcp login ${server_id}${option}`)
      const rest = Object.entries(entry.oauth).filter(([key]) => !(option !== '' && /^client_?id$/i.test(key)))
      if (rest.length > 0) notes.push(`not taken over of oauth: ${rest.map(([key, value]) => oauthField(key, value)).join(', ')}`)
    }
    if (entry.oauth === false) notes.push('oauth: false is not taken over: a sign-in is offered only if the server asks for one')
    if (off !== null) notes.push(`it is switched off, because ${off}`)
    const unused = Object.keys(entry).filter((key) => !used.test(key) && !Object.hasOwn(elsewhere, key))
    for (const [key, text] of Object.entries(elsewhere)) {
      if (entry[key] !== undefined && entry[key] !== false) notes.push(`${key} is not taken over: ${text.replaceAll('ID', server_id)}`)
    }
    if (unused.length > 0)
      notes.push(
        `not taken over: ${unused
          .map((key) => visible(key.slice(0, 100)))
          .join(', ')
          .slice(0, 1_000)}`,
      )
  }
}

function isRemote(value: unknown): value is Fields {
  return isFields(value) && value.source !== undefined && value.source !== 'local'
}

/** Where a value comes from; a value itself may be secret. */
function oauthField(key: string, value: unknown): string {
  const from = typeof value === 'string' && /^\$?\{[^{}]{1,300}\}$/.test(value) ? ` (${visible(value)})` : ''
  return `${visible(key.slice(0, 100))}${from}`
}
