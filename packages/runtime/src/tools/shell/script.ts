import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ShellExecOutput } from '@tandem/contract/tool/output'
import Type from 'typebox'
import type { ToolContext } from '../../call/context.ts'
import { ToolFailure } from '../../call/failure.ts'
import type { RemoteCommands } from '../../call/remote.ts'
import { defineTool, type Tool } from '../../call/tool.ts'
import { commandPreview } from './command-preview.ts'
import { presentCommand } from './command-result.ts'
import { fileDigest } from './file-digest.ts'
import { type LanguageName, languageNames, languages, programOf, type ScriptLanguage } from './languages.ts'
import { processInput } from './process-input.ts'
import type { Processes } from './processes.ts'
import { runProcess } from './run-process.ts'
import { checkRemoteInput, remoteDigest, remoteEffects, remoteInput, runRemotely } from './run-remotely.ts'

export function scriptRun(processes: Processes, remote: () => RemoteCommands): Tool {
  return defineTool({
    name: 'script.run',
    summary:
      'Run a script in the given language: either its source, or a file in the workspace. Use it instead of shell.exec for more than a few lines, or for languages other than bash. Its file writes and network access are restricted to the scope of the run.',
    input: Type.Object(
      {
        language: Type.Union(
          languageNames.map((name) => Type.Literal(name)),
          { description: 'The language; its interpreter must be installed' },
        ),
        source: Type.Optional(
          Type.String({ minLength: 1, maxLength: 1_000_000, description: 'The source of the script, instead of `path`' }),
        ),
        path: Type.Optional(
          Type.String({ minLength: 1, maxLength: 4_096, description: 'A script file, relative to the workspace, instead of `source`' }),
        ),
        args: Type.Optional(Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 200, description: 'The arguments of the script' })),
        ...processInput,
        ...remoteInput,
        background: Type.Optional(Type.Boolean({ description: 'Return immediately with a process id while it keeps running' })),
      },
      { additionalProperties: false },
    ),
    output: ShellExecOutput,
    effects: ({ language, source, path, args = [], cwd = '.', ...input }) => [
      ...(remoteEffects(input, source ?? [language, path, ...args].join(' ')) ?? [
        { does: 'execute', command: source ?? [language, path, ...args].join(' '), cwd, language: 'script' } as const,
      ]),
      ...(path === undefined ? [] : [{ does: 'read', path } as const]),
    ],
    async digest(input, place) {
      const file = input.path === undefined ? '' : await fileDigest(resolve(place.workspace, input.path))
      return `${file}${await remoteDigest(remote(), input, place)}`
    },
    repeats: (call_id) => remote().isOpen(call_id),
    async preview({ language, source, path, args = [], ...rest }, context) {
      checkRemoteInput(rest)
      const isSource = oneOf(source, path) === 'source'
      if (!isSource) await context.files.stat(path ?? '')
      const command = isSource ? (source ?? '') : [language, path, ...args].join(' ')
      return commandPreview({ ...rest, command, language, source: isSource, args }, context)
    },
    limits: { seconds: 600 },
    async run(input, context) {
      checkRemoteInput(input)
      const { language, source, path, args = [], cwd = '.', timeout_seconds, background = false, executor } = input
      if (executor !== undefined) {
        const { programs, extension }: ScriptLanguage = languages[language]
        const text = oneOf(source, path) === 'source' ? (source ?? '') : await scriptText(context, path ?? '')
        return await runRemotely(remote(), context, { input, programs, source: { extension, text }, args })
      }
      const program = installed(language)
      const { extension, env }: ScriptLanguage = languages[language]
      const folder = await context.files.locate(cwd, 'read')
      const script = await scriptFile(context, { source, path, name: `script-${processes.newId()}.${extension}` })
      const answer = await runProcess(processes, context, {
        argv: [program, script.file, ...args],
        command: [language, path ?? '(source)', ...args].join(' '),
        cwd: folder,
        background,
        timeout_seconds,
        ...(env ? { env } : {}),
      }).finally(() => (background ? undefined : script.remove()))
      return answer
    },
    present: presentCommand,
  })
}

function installed(language: LanguageName): string {
  const program = programOf(language)
  if (program) return program
  const others = languageNames.filter((name) => programOf(name) !== null)
  throw new ToolFailure('interpreter_missing', `${language} is not installed on this machine`, {
    subject: language,
    remedy: `Install it, or use one of: ${others.join(', ')}.`,
    recoverability: 'user_action',
  })
}

function oneOf(source: string | undefined, path: string | undefined): 'source' | 'path' {
  if ((source === undefined) === (path === undefined)) {
    throw new ToolFailure('invalid_input', 'script.run requires either `source` or `path`', { remedy: 'Pass exactly one of the two.' })
  }
  return path === undefined ? 'source' : 'path'
}

async function scriptText(context: ToolContext, path: string): Promise<string> {
  return await context.files.read(path, async ({ handle, facts }) => {
    if (facts.size > longestScript)
      throw new ToolFailure('file_too_large', `${path} has more than ${longestScript} bytes`, {
        subject: path,
        remedy: 'Send it with `send_files`, and run it with shell.exec.',
      })
    return (await handle.readFile()).toString('utf8')
  })
}

const longestScript = 1_000_000

interface ScriptFile {
  readonly file: string
  remove(): Promise<void>
}

async function scriptFile(
  context: ToolContext,
  { source, path, name }: { readonly source: string | undefined; readonly path: string | undefined; readonly name: string },
): Promise<ScriptFile> {
  if (oneOf(source, path) === 'path') return { file: await context.files.locate(path ?? '', 'read'), remove: async () => undefined }
  const file = join(context.temp, name)
  // Commands can write to this folder: use an unpredictable name, and never follow an existing entry.
  await writeFile(file, source ?? '', { flag: 'wx', mode: 0o600 })
  return { file, remove: () => rm(file, { force: true }) }
}
