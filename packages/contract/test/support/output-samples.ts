// Results of every tool, each with its summary line.
import type { KbIngestOutput, McpOutput, ToolOutputs, TruncatedOutput } from '../../src/tool/output/index.ts'

interface OutputSample<Output> {
  readonly output: Output
  readonly summary: string
}

const sha256 = 'a'.repeat(64)
const started_at = '2026-03-29T00:59:59.123Z'
const change = { bytes: 20, sha256, diff: '@@ -1 +1 @@\n-one\n+two', diff_truncated: false, lines_added: 1, lines_removed: 1 }
const tooLarge = { ...change, diff: '', diff_truncated: true, lines_added: null, lines_removed: null }

const startedWorkflow = {
  workflow_run_id: '018f0000-0000-7000-8000-000000000001',
  workflow_id: '018f0000-0000-7000-8000-000000000002',
  name: 'Nightly report',
  state: 'running',
  reason: null,
} as const

const member = { run_id: '018f0000-0000-7000-8000-000000000003', title: 'Fix the parser', agent_id: 'a1', workspace: 'copy' } as const

const memberResult: ToolOutputs['agent.delegate'] = {
  ...member,
  state: 'completed',
  answer: 'The parser accepts empty input.',
  answer_truncated: false,
  output: null,
  output_problem: null,
  changed: [{ path: 'src/parser.ts', change: 'edited' }],
  more_changed: 0,
  input_tokens: 1_200,
  output_tokens: 80,
  turns: 3,
  open_questions: [],
  failure: null,
}

const addedSource: KbIngestOutput['source'] = {
  source_id: 's1',
  name: 'Handbook',
  kind: 'folder',
  state: 'waiting',
  files: 43,
  left_out: 2,
  passages: 210,
}

/** A command that succeeded and printed nothing. */
export const endedCommand = {
  exit_code: 0,
  signal: null,
  timed_out: false,
  duration_ms: 2_310,
  output: '',
  output_end: '',
  bytes: 0,
  truncated: false,
  file: null,
  file_bytes: 0,
  violations: [],
} as const satisfies ToolOutputs['shell.exec']

const failed = {
  ...endedCommand,
  exit_code: 1,
  output: 'not found\n',
  bytes: 10,
  violations: [{ attempted: 'network', resource: 'example.com:443', blocked: true }],
} as const

const commands: readonly OutputSample<ToolOutputs['shell.exec']>[] = [
  { output: failed, summary: 'exit code 1, 2.3 s' },
  { output: { ...failed, exit_code: null, signal: 'SIGKILL' }, summary: 'ended by SIGKILL, 2.3 s' },
  { output: { ...failed, exit_code: null, timed_out: true }, summary: 'timed out, 2.3 s' },
  { output: { process_id: 'p1', pid: 7, state: 'running' }, summary: 'Started in the background (pid 7)' },
]

const server = {
  process_id: 'p1',
  pid: 7,
  command: 'npm run dev',
  cwd: '/srv',
  background: true,
  state: 'running',
  started_at,
  duration_ms: 4_000,
  bytes: 12,
  exit_code: null,
  signal: null,
  timed_out: false,
} as const
const stopped = { ...server, process_id: 'p2', command: 'sleep 60', state: 'ended', exit_code: null, signal: 'SIGTERM' } as const

const view = {
  tab: 't1',
  url: 'https://shop.example/',
  title: 'Shop',
  snapshot: '- button "Buy" [ref=e1]',
  tabs: [{ tab: 't1', url: 'https://shop.example/' }],
  dialogs: [{ type: 'alert', message: 'Hello', answer: 'dismissed' }],
  downloads: [{ url: 'https://shop.example/a.zip', name: 'a.zip', state: 'saved', file: '/tmp/a.zip', bytes: 9 }],
  refused: ['ads.example:443 (host_out_of_scope)'],
} as const
const views: readonly OutputSample<ToolOutputs['browser.wait']>[] = [
  { output: view, summary: 'Shop, https://shop.example/' },
  { output: { ...view, title: '', snapshot: null, text: 'Many things' }, summary: 'https://shop.example/' },
]

const todos: readonly OutputSample<ToolOutputs['todo.list']>[] = [
  {
    output: {
      todos: [
        { id: 'a', title: 'Buy milk', state: 'completed' },
        { id: 'b', title: 'Call Ada', state: 'in_progress', note: 'before noon' },
      ],
    },
    summary: '2 todos: Buy milk, Call Ada',
  },
  { output: { todos: [] }, summary: 'No todos' },
]

const text = {
  kind: 'text',
  path: 'notes.md',
  encoding: 'utf-8',
  bom: false,
  line_ending: 'lf',
  size: 8,
  sha256,
  total_lines: 2,
  start_line: 1,
  end_line: 2,
  content: 'one\ntwo',
  next_offset: null,
  notes: ['The encoding is a guess.'],
} as const

const answered = {
  url: 'https://api.example/things',
  status: 201,
  bytes: 8,
  truncated: false,
  redirected_from: [],
  body: { kind: 'text', charset: 'utf-8', text: '{"id":1}' },
} as const

const remembered = {
  id: 'm1',
  memory_kind: 'preference',
  content: 'The user writes tests with Vitest.',
  state: 'active',
  authority: 'person',
  learned_at: started_at,
  conflicts_with: [],
} as const

export const outputSamples: { readonly [Tool in keyof ToolOutputs]: readonly OutputSample<ToolOutputs[Tool]>[] } = {
  'fs.list': [
    {
      output: {
        path: 'src',
        entries: [
          { path: 'lib', type: 'directory', size: 4_096, modified: started_at },
          { path: 'main.ts', type: 'file', size: 1_200, modified: started_at },
          { path: 'latest', type: 'link', size: 7, modified: started_at, target: 'main.ts' },
        ],
        more: 1_200,
      },
      summary: '1,203 entries in src',
    },
    { output: { path: '.', entries: [{ path: 'a', type: 'file', size: 0, modified: started_at }], more: 0 }, summary: '1 entry' },
  ],
  'fs.read': [
    { output: text, summary: 'notes.md, 2 lines' },
    { output: { ...text, start_line: 11, end_line: 20, total_lines: 1_300 }, summary: 'notes.md, lines 11–20 of 1,300' },
    { output: { ...text, start_line: null, end_line: null, total_lines: null }, summary: 'notes.md' },
    {
      output: { kind: 'image', path: 'p.png', media_type: 'image/png', size: 9, sha256, dimensions: { width: 3, height: 2 }, notes: [] },
      summary: 'p.png, image/png, 3 × 2',
    },
    {
      output: {
        kind: 'binary',
        path: 'a.zip',
        media_type: 'application/zip',
        size: 9,
        sha256: null,
        dimensions: null,
        notes: ['Not text.'],
      },
      summary: 'a.zip, application/zip, 9 bytes',
    },
  ],
  'fs.search': [
    {
      output: {
        path: '.',
        lines: [
          { path: 'a.ts', line: 3, text: 'const greeting', match: true },
          { path: 'a.ts', line: 4, text: 'between', match: false },
          { path: 'a.ts', line: 5, text: 'greeting()', match: true },
          { path: 'b.ts', line: 1, text: 'greeting', match: true },
          { path: 'c.ts', line: 1, text: 'only around a match', match: false },
        ],
        files: [],
        matches: 3,
        truncated: false,
        notes: ['1 matches in very long lines were left out.'],
      },
      summary: '3 matches in 2 files',
    },
    {
      output: { path: '.', lines: [], files: [{ path: 'a.ts', matched_lines: 100 }], matches: 100, truncated: true, notes: [] },
      summary: 'At least 100 matches in 1 file',
    },
    { output: { path: '.', lines: [], files: [], matches: 0, truncated: false, notes: [] }, summary: 'No matches' },
  ],
  'fs.write': [
    { output: { path: 'greeting.js', outcome: 'created', encoding: 'utf-8', ...change }, summary: 'Created greeting.js  +1 −1' },
    { output: { path: 'greeting.js', outcome: 'replaced', encoding: 'utf-8', ...tooLarge }, summary: 'Replaced greeting.js, 20 bytes' },
    { output: { path: 'greeting.js', outcome: 'unchanged', encoding: 'utf-8', ...change }, summary: 'greeting.js is unchanged' },
  ],
  'fs.edit': [
    { output: { path: 'greeting.js', replaced: [1], ...change }, summary: 'Edited greeting.js  +1 −1' },
    { output: { path: 'greeting.js', replaced: [1, 2], ...tooLarge }, summary: 'Edited greeting.js, 3 places' },
  ],
  'fs.move': [
    { output: { from: 'a.txt', to: 'b.txt', replaced: false }, summary: 'Moved a.txt to b.txt' },
    { output: { from: 'a.txt', to: 'b.txt', replaced: true }, summary: 'Moved a.txt to b.txt, replacing what was there' },
  ],
  'fs.delete': [
    { output: { path: 'a.txt', entries: 1 }, summary: 'Deleted a.txt' },
    { output: { path: 'dist', entries: 14 }, summary: 'Deleted dist and the 13 entries in it' },
  ],
  'fs.mkdir': [
    { output: { path: 'src/a', created: ['src', 'src/a'] }, summary: 'Created folder src/a' },
    { output: { path: 'src/a', created: [] }, summary: 'src/a already exists' },
  ],
  'shell.exec': commands,
  'script.run': commands,
  'process.list': [
    { output: { processes: [server, stopped] }, summary: '2 processes, 1 running' },
    { output: { processes: [] }, summary: 'No processes' },
    { output: { ...server, output: { text: 'ready\n', next: 6, missed: 0 } }, summary: 'npm run dev: running, 4.0 s' },
  ],
  'process.kill': [{ output: stopped, summary: 'Ended sleep 60' }],
  'web.search': [
    {
      output: {
        provider: 'searxng',
        query: 'shop',
        page: 1,
        results: [{ title: 'A shop', url: 'https://shop.example/', text: 'Many things', published: '2026-01-01' }],
      },
      summary: '1 result for shop',
    },
  ],
  'web.fetch': [
    { output: { ...answered, content_type: 'application/json' }, summary: 'Status 201, application/json, 8 bytes' },
    { output: { ...answered, content_type: null, bytes: 0, body: { kind: 'empty' } }, summary: 'Status 201, 0 bytes' },
    {
      output: { ...answered, content_type: 'image/png', body: { kind: 'binary', file: '/tmp/p.png', sha256 } },
      summary: 'Status 201, image/png, 8 bytes',
    },
  ],
  'web.extract': [
    {
      output: {
        url: 'https://shop.example/',
        title: 'A shop',
        byline: 'Ada',
        published: null,
        site: 'Shops',
        language: 'en',
        readable: true,
        truncated: false,
        redirected_from: ['http://shop.example/'],
        text: '# A shop',
        text_end: 'the end',
        file: '/tmp/page.md',
      },
      summary: 'A shop',
    },
  ],
  'browser.open': [
    { output: { status: 200, loaded: true, browser_sandbox: 'on', ...view }, summary: 'Shop, https://shop.example/' },
    {
      output: { status: null, loaded: false, browser_sandbox: 'off', ...view },
      summary: 'Shop, https://shop.example/, not fully loaded',
    },
  ],
  'browser.click': views,
  'browser.type': views,
  'browser.select': views,
  'browser.wait': views,
  'browser.eval': [
    { output: { tab: 't1', value: { count: 2 }, refused: [] }, summary: '{"count":2}' },
    { output: { tab: 't1', value: null, refused: [] }, summary: '' },
    { output: { tab: 't1', truncated: true, refused: [], text: '["long', text_end: 'end"]', file: '/tmp/x' }, summary: '["long' },
  ],
  'browser.screenshot': [
    {
      output: {
        tab: 't1',
        url: 'https://shop.example/',
        media_type: 'image/png',
        width: 1_280,
        height: 720,
        bytes: 9_000,
        file: '/tmp/screenshot.png',
        sha256,
        file_id: 'f1',
      },
      summary: 'Screenshot of https://shop.example/, 1280 × 720',
    },
  ],
  'browser.network_logs': [
    {
      output: {
        tab: 't1',
        next: null,
        total: 2,
        dropped: 0,
        items: [
          { index: 1, method: 'GET', url: 'https://shop.example/', type: 'document', status: 200, failure: null },
          { index: 2, method: 'GET', url: 'https://ads.example/', type: 'script', status: null, failure: 'net::ERR_FAILED' },
        ],
        refused: [{ host: 'ads.example', port: 443, reason_code: 'host_out_of_scope' }],
      },
      summary: '2 requests, 1 failed',
    },
  ],
  'browser.console_logs': [
    {
      output: {
        tab: 't1',
        next: 4,
        total: 12,
        dropped: 0,
        items: [{ index: 4, level: 'error', text: 'the shop is closed', at: 'https://shop.example/:3' }],
      },
      summary: '1 line',
    },
  ],
  'todo.create': todos,
  'todo.update': todos,
  'todo.list': todos,
  'todo.complete': todos,
  'memory.add': [{ output: { memory: remembered, note: null }, summary: 'Remembered: The user writes tests with Vitest.' }],
  'memory.update': [
    {
      output: {
        memory: { ...remembered, conflicts_with: ['m2'] },
        note: 'It contradicts another memory; the user decides which one is right.',
      },
      summary: 'Proposed change: The user writes tests with Vitest.',
    },
    { output: { memory: remembered, note: null }, summary: 'Changed: The user writes tests with Vitest.' },
  ],
  'memory.delete': [
    { output: { memory: { ...remembered, state: 'archived' }, note: null }, summary: 'Archived: The user writes tests with Vitest.' },
  ],
  'memory.search': [
    {
      output: {
        memories: [remembered],
        evidence: [{ source: 'message', id: 'm7', excerpt: 'vitest please, not jest', said_at: started_at }],
      },
      summary: '1 memory, 1 quote',
    },
    { output: { memories: [], evidence: [] }, summary: '0 memories, 0 quotes' },
  ],
  'kb.search': [
    {
      output: {
        passages: [
          {
            id: 'd1.c1.0',
            source_id: 's1',
            citation: '[Handbook/setup.md:12]',
            name: 'Handbook/setup.md',
            headings: ['Setup', 'Install'],
            text: 'Install it with npm.',
          },
        ],
      },
      summary: '1 passage: [Handbook/setup.md:12]',
    },
    { output: { passages: [] }, summary: 'Nothing found' },
  ],
  'kb.ingest': [
    {
      output: { source: addedSource, note: 'It is being read in the background.' },
      summary: 'Added to the knowledge base: Handbook',
    },
  ],
  'kb.reindex': [
    { output: { sources: [addedSource] }, summary: 'Checking Handbook' },
    { output: { sources: [] }, summary: 'No sources' },
  ],
  'agent.delegate': [
    { output: memberResult, summary: 'Fix the parser: completed' },
    {
      output: {
        ...memberResult,
        state: 'failed',
        answer: null,
        output: '{"fixed":false}',
        output_problem: 'fixed must be true',
        more_changed: 3,
        open_questions: ['Which grammar is right?'],
        failure: {
          taxonomy: 'none',
          stage: 'tool_execution',
          source: 'shell.exec',
          reason_code: 'exit_code',
          recoverability: 'retryable',
          message: 'The tests failed.',
        },
      },
      summary: 'Fix the parser: failed',
    },
  ],
  'agent.spawn': [{ output: { members: [member] }, summary: 'Started Fix the parser' }],
  'agent.merge_result': [
    {
      output: {
        members: [memberResult],
        changed: [{ path: 'src/parser.ts', change: 'edited', from: null, authors: ['Fix the parser'] }],
        more_changed: 0,
        conflicts_resolved: 0,
        notes: [],
      },
      summary: 'Merged 1 path from Fix the parser',
    },
    {
      output: {
        members: [memberResult],
        changed: [{ path: 'src/lexer.ts', change: 'renamed', from: 'src/scanner.ts', authors: ['Fix the parser', 'Rename files'] }],
        more_changed: 2,
        conflicts_resolved: 2,
        notes: ['2 sockets were left out.'],
      },
      summary: 'Merged 3 paths from Fix the parser',
    },
  ],
  'workflow.start': [{ output: startedWorkflow, summary: 'Started Nightly report' }],
  'workflow.wait': [
    {
      output: { ...startedWorkflow, state: 'completed', waiting: [], failed: [], result: '{"files":3}' },
      summary: 'Nightly report: completed',
    },
    {
      output: {
        ...{ ...startedWorkflow, state: 'failed', reason: 'fetch failed: no connection', waiting: [], result: null },
        failed: [{ node: 'fetch', round: [2], message: 'no connection' }],
      },
      summary: 'Nightly report: failed (fetch failed: no connection)',
    },
  ],
  'workflow.control': [
    {
      output: {
        ...{ ...startedWorkflow, state: 'paused', reason: 'fs.write needs an approval', failed: [], result: null },
        waiting: [{ node: 'save', round: [], waits_for: 'approval', reason: 'fs.write needs an approval' }],
      },
      summary: 'Nightly report: paused (fs.write needs an approval)',
    },
  ],
  'workflow.snapshot': [
    {
      output: { ...startedWorkflow, seq: 12, nodes: [{ node: 'fetch', round: [1], state: 'completed', attempt: 1, note: null }], more: 4 },
      summary: 'Nightly report: running',
    },
  ],
  'workflow.query': [
    {
      output: {
        ...{ ...startedWorkflow, node: 'fetch', round: [1, 3], node_state: 'completed', waits_for: null },
        ...{ output: '{"status":200}', error: null, input_tokens: 120, output_tokens: 40 },
      },
      summary: 'fetch (round 1.3): completed',
    },
  ],
  'workflow.history': [
    {
      output: {
        workflow_run_id: startedWorkflow.workflow_run_id,
        events: [{ seq: 1, time: started_at, kind: 'node.started', text: 'Node fetch started.' }],
        next_after: null,
      },
      summary: '1 event',
    },
  ],
  'time.now': [
    {
      output: {
        iso: '2026-03-29T01:59:59.123+01:00',
        utc: started_at,
        zone: 'Europe/Berlin',
        offset: '+01:00',
        date: '2026-03-29',
        time: '01:59:59',
        weekday: 'Sunday',
        week: 13,
        unix: 1_774_745_999,
      },
      summary: 'Sunday, 2026-03-29 01:59:59, Europe/Berlin',
    },
  ],
  'http.request': [
    {
      output: {
        request: { method: 'POST', url: 'https://api.example/things', headers: { authorization: '(hidden, 13 characters)' } },
        headers: { 'content-type': 'application/json' },
        redirect_stopped: 'https://other.example/',
        ...answered,
      },
      summary: 'Status 201, 8 bytes',
    },
  ],
  'team.send': [{ output: { received_by: ['018f0000-0000-7000-8000-000000000003'] }, summary: 'Sent to 1 member' }],
  'tool.search': [
    {
      output: {
        query: 'issue',
        tools: [{ tool: 'mcp.hub.create_issue', server: 'hub', description: 'Creates an issue' }],
        more: 3,
        servers: [{ server: 'hub', name: 'Hub', tools: 40 }],
      },
      summary: 'mcp.hub.create_issue, and 3 more',
    },
    { output: { query: 'x', tools: [], more: 0, servers: [] }, summary: 'No tools found' },
  ],
  'skill.load': [
    {
      output: {
        name: 'pdf',
        file: null,
        text: '# PDF',
        folder: '/home/p/.tandem/skill-copies/0123456789abcdef/pdf',
        files: ['forms.md'],
        allowed_tools: ['fs.read'],
      },
      summary: 'pdf',
    },
    { output: { name: 'pdf', file: 'forms.md', text: '# Forms', files: ['forms.md'], allowed_tools: [] }, summary: 'pdf, forms.md' },
  ],
  ask_user: [
    { output: { chosen: ['a', 'b'], text: 'but later' }, summary: 'a, b: but later' },
    { output: { chosen: ['a'], text: null }, summary: 'a' },
    { output: { chosen: [], text: 'Because.' }, summary: 'Because.' },
  ],
}

export const mcpSamples: readonly OutputSample<McpOutput>[] = [
  {
    output: {
      content: [
        { type: 'text', text: 'It is cloudy.\nTake a coat.', whole: { tail: 'coat.', bytes: 27, file: '/tmp/mcp-0.txt' } },
        { type: 'image', media_type: 'image/png', bytes: 9, sha256, file: '/tmp/1.png' },
        { type: 'resource', uri: 'file:///a', media_type: 'text/plain', text: 'A resource' },
        { type: 'resource_bytes', uri: 'file:///b', media_type: 'application/zip', bytes: 9, sha256, file: '/tmp/b.zip' },
        { type: 'resource_link', uri: 'file:///c', name: 'c', description: null, media_type: null },
      ],
      structured: { temperature: 33 },
      structured_fault: 'it does not match the output schema of the tool',
    },
    summary: 'It is cloudy.',
  },
  { output: { content: [], structured: { temperature: 33 } }, summary: '{"temperature":33}' },
  { output: { content: [{ type: 'audio', media_type: 'audio/wav', bytes: 9, sha256, file: '/tmp/a.wav' }] }, summary: '1 part' },
  { output: { content: [] }, summary: '' },
]

export const cutSample: OutputSample<TruncatedOutput> = {
  output: { beginning: '{"path":', end: '"}', characters: 1_234_567 },
  summary: '1,234,567 characters, too long to show in full',
}
