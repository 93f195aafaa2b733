// What a definition would run, exactly: the text that a user approves, and its hash.
import { createHash } from 'node:crypto'
import type { McpServer } from '@tandem/contract/mcp'
import { McpServer as McpServerSchema } from '@tandem/contract/mcp/schema'
import { canonicalJson } from '@tandem/contract/sync'
import { fieldErrors, fieldName, fieldPath } from '@tandem/contract/validation'
import { Check, Errors } from 'typebox/value'
import { inspectText } from '../policy/untrusted-text.ts'
import { type McpOutcome, mcpFailed, mcpFailure, mcpSuccess } from './failure.ts'

export interface DefinitionPreview {
  readonly server: McpServer
  /** Must be part of an approval, so that it approves what was shown. */
  readonly definition_sha256: string
  /** The complete command or address, with invisible characters made visible. */
  readonly runs: string
  readonly secret_names: readonly string[]
  readonly warnings: readonly string[]
}

/** Covers everything that decides what runs, where data goes and when approval is needed. Label and switches can change freely. */
export function definitionSha256(server: McpServer): string {
  const { name: _name, enabled: _enabled, auto_reconnect: _auto, ...rest } = server
  // Who uses which of its tools, and for how long: it neither runs nor reaches anything else.
  const { agent_ids: _agents, include_tools: _included, exclude_tools: _excluded, timeout_seconds: _timeout, ...decisive } = rest
  return createHash('sha256').update(canonicalJson(decisive)).digest('hex')
}

/** Validates a definition from outside. */
export function readDefinition(value: unknown): McpOutcome<McpServer> {
  if (!Check(McpServerSchema, value)) {
    const [first] = fieldErrors(Errors(McpServerSchema, value))
    const where = first?.pointer ? fieldName(first.pointer) : 'the definition'
    return mcpFailed(
      mcpFailure(
        'invalid_definition',
        where,
        `${where} ${first?.message ?? 'is not valid'}`,
        inDefinition(first?.pointer ?? '', first?.message),
      ),
    )
  }
  const unusable = value.transport === 'stdio' ? pointerOfNul(value) : undefined
  if (unusable !== undefined)
    return mcpFailed(mcpFailure('invalid_definition', unusable, `${fieldName(unusable)} ${noNul}`, inDefinition(unusable, noNul)))
  const forbidden = value.transport === 'stdio' ? value.env_names.find(isForbiddenVariable) : undefined
  if (forbidden)
    return mcpFailed(
      mcpFailure(
        'forbidden_variable',
        forbidden,
        `${forbidden} must not be passed to a server`,
        inDefinition('/env_names', `must not contain ${forbidden}`),
      ),
    )
  return mcpSuccess(value)
}

export const noNul = 'must not contain a NUL character'

/** No system can start a program with it, and the error of the attempt would quote the value. */
function pointerOfNul({ command, args, working_directory }: Extract<McpServer, { transport: 'stdio' }>): string | undefined {
  if (command.includes('\0')) return '/command'
  if (working_directory?.includes('\0')) return '/working_directory'
  const at = args.findIndex((one) => one.includes('\0'))
  return at < 0 ? undefined : `/args/${at}`
}

function inDefinition(pointer: string, message = 'is not valid') {
  return { field: { field: fieldPath(`/server${pointer}`), message } }
}

export function previewDefinition(server: McpServer): DefinitionPreview {
  return {
    server,
    definition_sha256: definitionSha256(server),
    runs: visible(whatRuns(server)),
    secret_names: server.transport === 'stdio' ? server.env_names : [...server.header_names, ...server.query_names],
    warnings: warningsOf(server),
  }
}

/** Variables that make a loader or interpreter run code that the command line does not show. */
export function isForbiddenVariable(name: string): boolean {
  return forbiddenVariables.test(name)
}

const forbiddenVariables =
  /^(?:LD_.+|DYLD_.+|NODE_OPTIONS|NODE_PATH|BASH_ENV|ENV|BASH_FUNC_.*|PROMPT_COMMAND|PS4|PYTHONSTARTUP|PYTHONPATH|PYTHONHOME|PERL5OPT|PERL5LIB|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|GIT_SSH_COMMAND|GIT_EXTERNAL_DIFF|PAGER|EDITOR|VISUAL|IFS|PATH|HOME|SHELL|TANDEM_.+)$/i

function whatRuns(server: McpServer): string {
  if (server.transport === 'http') return server.url
  const words = [server.command, ...server.args].map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)))
  return server.working_directory === null ? words.join(' ') : `${words.join(' ')}  (in ${server.working_directory})`
}

/** Invisible characters are written as escapes, so that nothing can be hidden in a long line. */
export function visible(text: string): string {
  return text.replace(/(?!\n)\p{C}|\p{Default_Ignorable_Code_Point}|\p{Zl}|\p{Zp}|\u2800/gu, (letter) => {
    return `\\u{${letter.codePointAt(0)?.toString(16)}}`
  })
}

const shells = /(?:^|[\\/])(?:ba|z|da|k|fi)?sh$|(?:^|[\\/])(?:cmd|powershell|pwsh)(?:\.exe)?$/i
const fetchers = /(?:^|[\\/])(?:npx|bunx|pnpx|uvx|pipx|docker|podman)(?:\.cmd|\.exe)?$/i
/** `package@1.2.3`, `package==1.2.3`, `image@sha256:…`. A tag such as `latest` can be moved. */
const pinned = /^[^-].*(?:@|==)(?:\d+\.\d+[\w.+-]*|sha256:[0-9a-f]{64})$/

const likeSecret = /(?:token|secret|passw(?:or)?d|api[-_]?key)[=:].|^(?:gh[pousr]_|github_pat_|sk-|xox[abp]-|AKIA)[\w-]{8}/i

function warningsOf(server: McpServer): string[] {
  const warnings: string[] = []
  if (server.transport === 'stdio') {
    if (shells.test(server.command)) warnings.push(`${server.command} is a shell: it runs whatever its arguments contain.`)
    if (fetchers.test(server.command)) {
      const advice = server.args.some((arg) => pinned.test(arg)) ? '' : ' that changes over time: specify a version'
      warnings.push(`${server.command} may download and run code${advice}. It downloads only from hosts that you approve.`)
    }
    const secret = server.args.find((arg) => likeSecret.test(arg))
    if (secret)
      warnings.push(
        'An argument looks like a secret. Arguments are synchronized to your other devices; the values of environment variables are not.',
      )
    const texts = [server.command, ...server.args, server.working_directory ?? '']
    if (texts.some((text) => visible(text) !== text)) warnings.push('The command contains invisible characters.')
  } else {
    const { protocol, hostname } = new URL(server.url)
    if (protocol === 'http:' && !/^(?:localhost|127\.|\[::1\])/.test(hostname))
      warnings.push(`Connections to ${hostname} are not encrypted.`)
  }
  if (server.default_approval_mode === 'auto') warnings.push('Its tools run without approval.')
  for (const { title } of inspectText('name', server.name)) warnings.push(`Its name is suspicious: ${title}.`)
  return warnings
}
