// The title of an approval, and of a call in the terminal: what happens, and to what.
import { grouped, visibleInTerminal } from '../text/index.ts'
import type { PageAction } from './preview.ts'
import type { CallPreview } from './preview-schema.ts'
import type { ApprovalPrompt } from './schema.ts'

/** Names in a title are one line and at most this long. */
const longestName = 60
const longestCommand = 80

/** Total: whatever a model wrote in the arguments, there is a single-line title. */
export function approvalTitle({ tool, arguments: text, preview }: Pick<ApprovalPrompt, 'tool' | 'arguments' | 'preview'>): string {
  const fields = fieldsOf(text)
  return `${(preview && fromPreview(preview, tool, fields)) ?? fromArguments(tool, fields)}?`
}

/** What a call does, without a preview; null for a tool that is described by its name alone, or when its arguments do not say what it does. */
export function callTitle(tool: string, text: string): string | null {
  return fromTable(tool, fieldsOf(text))
}

type Fields = Readonly<Record<string, unknown>>

function fromPreview(preview: CallPreview, tool: string, fields: Fields): string | null {
  switch (preview.kind) {
    case 'change':
      return `${preview.creates ? 'Create' : tool === 'fs.write' ? 'Overwrite' : 'Edit'} ${pathName(preview.path)}`
    case 'delete':
      return deleting(preview)
    case 'move': {
      const moved = moving(preview.from, preview.to)
      return preview.replaces ? `${moved} and replace what is there` : moved
    }
    case 'folder':
      return `Create the folder ${folderName(preview.path)}`
    case 'command':
      return running(preview)
    case 'request':
      return requesting(tool, preview.method, preview.url, fields)
    case 'page':
      return onPage(preview)
    case 'process':
      return `End process ${preview.pid}`
    case 'mcp':
      return mcpUse(preview.server, preview.tool)
    case 'merge':
      return merging(preview)
    case 'fails':
      return null
    default:
      // A newer version may have others.
      return null
  }
}

function merging({ members, files, more }: Extract<CallPreview, { kind: 'merge' }>): string {
  const paths = files.length + more
  const [only] = members
  const whose = only && members.length === 1 ? `the work on ${quoted(only.title)}` : `the work of ${members.length} agents`
  return `Merge ${whose}: ${grouped(paths)} ${paths === 1 ? 'path' : 'paths'}`
}

function deleting({ path, folders, files, at_least }: Extract<CallPreview, { kind: 'delete' }>): string {
  if (folders === 0) return `Delete ${pathName(path)}`
  if (files === 0) return `Delete the folder ${folderName(path)}`
  const contents = `${at_least ? 'at least ' : ''}${grouped(files)} ${files === 1 ? 'file' : 'files'}`
  return `Delete the folder ${folderName(path)} and ${contents} in it`
}

function moving(from: string, to: string): string {
  const renames = folderOf(from) === folderOf(to)
  return renames ? `Rename ${pathName(from)} to ${name(baseOf(to))}` : `Move ${pathName(from)} to ${pathName(to)}`
}

function running({ command, language, source, background, remote }: Extract<CallPreview, { kind: 'command' }>): string {
  const what = language !== null && source ? `a ${name(language)} script` : commandName(command)
  return `Run ${what}${remote ? ` on ${name(remote.name)}` : ''}${background ? ' in the background' : ''}`
}

function requesting(tool: string, method: string, url: string, fields: Fields): string {
  if (tool === 'web.search') return `Search the web for ${quoted(fields.query)}`
  if (tool.startsWith('web.')) return `Fetch ${addressName(url)}`
  return sending(method, url)
}

function sending(method: string, url: string): string {
  return `Send ${/^[AEIOU]/i.test(method) ? 'an' : 'a'} ${name(method)} request to ${hostName(url)}`
}

/** `where` is the page. */
const pageTitles: Readonly<Record<Exclude<PageAction, 'open'>, (target: string | null, where: string) => string>> = {
  click: (target, where) => `Click ${target ?? 'an element'} ${where}`,
  type: (target, where) => `Type into ${target ?? 'a field'} ${where}`,
  type_and_submit: (target, where) => `Type into ${target ?? 'a field'} ${where} and press Enter`,
  select: (target, where) => `Choose an option in ${target ?? 'a list'} ${where}`,
  run: (_, where) => `Run JavaScript ${where}`,
}

function onPage({ action, target, address }: Extract<CallPreview, { kind: 'page' }>): string {
  if (action === 'open') return `Open ${addressName(address ?? '')} in the browser`
  const where = address === null ? 'in the browser' : `on ${hostName(address)}`
  const shown = target === null ? null : name(target)
  // A newer version may have other actions.
  const title = Object.hasOwn(pageTitles, action) ? pageTitles[action] : undefined
  return title?.(shown, where) ?? `Use ${shown ?? 'a page'} ${where}`
}

/** Without a preview, the arguments are used. If a field is missing or not a text, the title has only the name of the tool. */
function fromArguments(tool: string, fields: Fields): string {
  return fromTable(tool, fields) ?? mcpTitle(tool) ?? `Use ${name(tool)}`
}

function fromTable(tool: string, fields: Fields): string | null {
  return (Object.hasOwn(byTool, tool) ? byTool[tool]?.(fields) : null) ?? null
}

const withPath = (verb: string) => (fields: Fields) => (isText(fields.path) ? `${verb} ${pathName(fields.path)}` : null)
const withAddress = (verb: string) => (fields: Fields) => (isText(fields.url) ? `${verb} ${addressName(fields.url)}` : null)
const inPage = (verb: string) => () => `${verb} in the browser`

const byTool: Readonly<Record<string, (fields: Fields) => string | null>> = {
  'fs.list': ({ path }) => (isText(path) && path !== '.' ? `List the files in ${pathName(path)}` : 'List the files of the workspace'),
  'fs.read': withPath('Read'),
  'fs.search': (fields) => (isText(fields.pattern) ? `Search files for ${quoted(fields.pattern)}` : null),
  'fs.write': withPath('Write'),
  'fs.edit': withPath('Edit'),
  'fs.delete': withPath('Delete'),
  'fs.mkdir': (fields) => (isText(fields.path) ? `Create the folder ${folderName(fields.path)}` : null),
  'fs.move': ({ from, to }) => (isText(from) && isText(to) ? moving(from, to) : null),
  'shell.exec': ({ command, background }) =>
    isText(command) ? `Run ${commandName(command)}${background === true ? ' in the background' : ''}` : null,
  'script.run': ({ language, path }) => {
    if (!isText(language)) return null
    return isText(path) ? `Run ${pathName(path)} with ${name(language)}` : `Run a ${name(language)} script`
  },
  'process.list': () => 'List the processes of this run',
  'process.kill': ({ pid, process_id }) => {
    if (typeof pid === 'number') return `End process ${pid}`
    return isText(process_id) ? `End process ${name(process_id)}` : null
  },
  'web.search': ({ query }) => (isText(query) ? `Search the web for ${quoted(query)}` : null),
  'web.fetch': withAddress('Fetch'),
  'web.extract': withAddress('Fetch'),
  'http.request': ({ method, url }) => (isText(url) ? sending(isText(method) ? method : 'GET', url) : null),
  'browser.open': (fields) => (isText(fields.url) ? `Open ${addressName(fields.url)} in the browser` : null),
  'browser.click': inPage('Click an element'),
  'browser.type': inPage('Type into a field'),
  'browser.select': inPage('Choose an option'),
  'browser.wait': inPage('Wait for a page'),
  'browser.eval': inPage('Run JavaScript'),
  'browser.screenshot': () => 'Take a screenshot of the browser',
  'browser.network_logs': () => 'Read the network log of the browser',
  'browser.console_logs': () => 'Read the console of the browser',
  'time.now': () => 'Get the current time',
  'todo.create': ({ todos }) => (isCounted(todos) ? `Add ${todos.length === 1 ? 'a todo' : `${todos.length} todos`}` : null),
  'todo.update': ({ title }) => (isText(title) ? `Change the todo ${quoted(title)}` : 'Change a todo'),
  'todo.list': () => 'List the todos',
  'todo.complete': ({ ids }) => (isCounted(ids) ? `Complete ${ids.length === 1 ? 'a todo' : `${ids.length} todos`}` : null),
  'memory.add': ({ content }) => (isText(content) ? `Remember ${quoted(content)}` : null),
  'memory.search': ({ query }) => (isText(query) ? `Search memory for ${quoted(query)}` : null),
  'memory.update': ({ content }) => (isText(content) ? `Change a memory to ${quoted(content)}` : null),
  'memory.delete': () => 'Archive a memory',
  'agent.delegate': ({ title }) => (isText(title) ? `Delegate ${quoted(title)} to an agent` : 'Delegate work to an agent'),
  'agent.spawn': ({ members }) => {
    const titles = Array.isArray(members) ? members.map((member) => (member as Fields | null)?.title).filter(isText) : []
    if (titles.length === 0) return 'Start agents for parts of the work'
    const [first] = titles
    return titles.length === 1 ? `Start an agent for ${quoted(first)}` : `Start ${titles.length} agents for ${quoted(first)} and other work`
  },
  'agent.merge_result': ({ run_ids }) =>
    `Merge the work of ${Array.isArray(run_ids) && run_ids.length > 1 ? `${run_ids.length} agents` : 'another agent'}`,
  'workflow.start': ({ workflow }) => (isText(workflow) ? `Start the workflow ${quoted(workflow)}` : null),
  'workflow.wait': () => 'Wait for a workflow',
  'workflow.control': ({ action, node }) => {
    if (action === 'skip') return isText(node) ? `Skip ${quoted(node)} in a workflow` : null
    return isText(action) ? `${action.charAt(0).toUpperCase()}${action.slice(1)} a workflow` : null
  },
  'workflow.snapshot': () => 'Show the state of a workflow',
  'workflow.query': ({ node }) => (isText(node) ? `Show ${quoted(node)} of a workflow` : null),
  'workflow.history': () => 'Show what a workflow has done',
  'kb.search': ({ query }) => (isText(query) ? `Search the knowledge base for ${quoted(query)}` : null),
  'kb.ingest': ({ path, url, text }) => {
    if (isText(path)) return `Add ${path === '.' ? 'the workspace' : pathName(path)} to the knowledge base`
    if (isText(url)) return `Load ${quoted(url)} and add it to the knowledge base`
    return isText(text) ? `Add the text ${quoted(text)} to the knowledge base` : null
  },
  'kb.reindex': ({ source }) =>
    isText(source) ? `Check ${quoted(source)} in the knowledge base for changes` : 'Check the knowledge base for changes',
  'team.send': ({ to }) => (isText(to) ? `Send a message to ${quoted(to)}` : 'Send a message to the team'),
  'tool.search': ({ query }) => (isText(query) ? `Search the tools of MCP servers for ${quoted(query)}` : null),
  'skill.load': ({ name: skill, file }) => {
    if (!isText(skill)) return null
    return isText(file) ? `Read ${pathName(file)} of the skill ${name(skill)}` : `Use the skill ${name(skill)}`
  },
  ask_user: ({ question }) => (isText(question) ? `Ask ${quoted(question)}` : null),
}

function isCounted(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0
}

function mcpTitle(tool: string): string | null {
  const [, server, remote] = /^mcp\.([^.]+)\.(.+)$/s.exec(tool) ?? []
  return server === undefined || remote === undefined ? null : mcpUse(server, remote)
}

function mcpUse(server: string, tool: string): string {
  return `Use “${name(tool)}” of the MCP server ${name(server)}`
}

function fieldsOf(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : {}
  } catch {
    // A journal has only the beginning of long arguments, and a model can write anything.
    return {}
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/** One line without anything that hides, reorders or breaks text. A long one is cut at the end. */
function name(text: string, most = longestName): string {
  const shown = oneLine(text, most * 2)
  return shown.length <= most ? shown : `${whole(shown.slice(0, most - 1))}…`
}

/** A long path is cut at the beginning, because its end says more. */
function pathName(path: string): string {
  const shown = oneLine(path.length > longestName * 2 ? `…${path.slice(-longestName * 2)}` : path)
  return shown.length <= longestName ? shown : `…${whole(shown.slice(1 - longestName))}`
}

function folderName(path: string): string {
  return `${pathName(path.replace(/\/+$/, ''))}/`
}

function commandName(command: string): string {
  const [first = '', ...more] = command.trim().split('\n', 2)
  const shown = name(first, longestCommand)
  return more.length > 0 && !shown.endsWith('…') ? `${shown} …` : shown
}

function quoted(text: unknown): string {
  return isText(text) ? `“${name(text)}”` : 'something'
}

function hostName(url: string): string {
  return name(partsOfAddress(url)?.host ?? url)
}

/** Host and path: a query can be long, and the body of the approval shows it. */
function addressName(url: string): string {
  const parts = partsOfAddress(url)
  return parts === null ? name(url) : name(`${parts.host}${parts.path === '/' ? '' : parts.path}`)
}

/** An incomplete URL is shown as it is. A backslash ends the host, as in a browser; what is before the last @ is not part of it. */
const address = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/\\?#]*@)?([^/\\?#@]+)([^?#]*)/i

function partsOfAddress(url: string): { readonly host: string; readonly path: string } | null {
  const [, host, path] = address.exec(url) ?? []
  return host === undefined || path === undefined ? null : { host, path }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

const lineBreaks = /[\t\n\r\v\f\u0085\u2028\u2029]/g

function oneLine(text: string, most = text.length): string {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text
  return visibleInTerminal(cut.replace(lineBreaks, (letter) => `⟨U+${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`))
}

/** Without half a character at either end. */
function whole(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
}
