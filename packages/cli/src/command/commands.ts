// Every `tandem` command by its name. Each command's code is loaded only when it is used.

interface Command {
  readonly summary: string
  run(args: readonly string[]): Promise<number>
}

export const commands: Readonly<Record<string, Command>> = {
  start: {
    summary: 'Start Tandem: the runtime, a local server and the window',
    run: async (args) => (await import('./start.ts')).start(args),
  },
  chat: {
    summary: 'Talk to an agent in this terminal; the same as tandem without a command',
    run: async (args) => (await import('../chat/chat.ts')).chat(args),
  },
  run: {
    summary: 'Give an agent a task and follow its progress',
    run: async (args) => (await import('./run.ts')).run(args),
  },
  conversations: {
    summary: 'List, find, pin and delete conversations',
    run: async (args) => (await import('./conversations.ts')).conversations(args),
  },
  'import-conversations': {
    summary: 'Import conversations that you exported from ChatGPT or Claude',
    run: async (args) => (await import('../import/import-conversations.ts')).importConversations(args),
  },
  runs: {
    summary: 'List the runs of this device',
    run: async (args) => (await import('./runs.ts')).runs(args),
  },
  models: {
    summary: 'List the models that can be used, and test the connection to them',
    run: async (args) => (await import('./models.ts')).models(args),
  },
  usage: {
    summary: 'Show the tokens and the cost of a month or a conversation',
    run: async (args) => (await import('./usage.ts')).usage(args),
  },
  resume: {
    summary: 'Resume a paused run, with an answer if it needs one',
    run: async (args) => (await import('./resume.ts')).resume(args),
  },
  team: {
    summary: 'Show and control the team of a run, and the copies of folders that its members work in',
    run: async (args) => (await import('../team/team.ts')).team(args),
  },
  changes: {
    summary: 'List the files that a conversation changed, or print their diff',
    run: async (args) => (await import('./changes.ts')).changes(args),
  },
  checkpoints: {
    summary: 'List the recovery points of a run, or create one',
    run: async (args) => (await import('./checkpoints.ts')).checkpoints(args),
  },
  restore: {
    summary: 'Restore files to a recovery point, or preview the restore',
    run: async (args) => (await import('./restore.ts')).restore(args),
  },
  agents: {
    summary: 'List, create or archive agents',
    run: async (args) => (await import('./agents.ts')).agents(args),
  },
  policy: {
    summary: 'Show or change what an agent may do with each tool; list and revoke saved approvals',
    run: async (args) => (await import('./policy.ts')).policy(args),
  },
  mcp: {
    summary: 'Add, test and manage the MCP servers of this device',
    run: async (args) => (await import('./mcp.ts')).mcp(args),
  },
  skills: {
    summary: 'List and check skills, and assign them to agents',
    run: async (args) => (await import('./skills.ts')).skills(args),
  },
  memory: {
    summary: 'Show, search, correct and delete what agents remember',
    run: async (args) => (await import('../memory/memory.ts')).memory(args),
  },
  learning: {
    summary: 'Show what runs taught, and decide about lessons and changes of policies',
    run: async (args) => (await import('../learning/learning.ts')).learning(args),
  },
  evolution: {
    summary: 'Show what you repeat, and decide about the skills and workflows that are proposed for it',
    run: async (args) => (await import('../evolution/evolution.ts')).evolution(args),
  },
  kb: {
    summary: 'Add documents to the knowledge base, search them and keep them current',
    run: async (args) => (await import('../kb/kb.ts')).kb(args),
  },
  workflows: {
    summary: 'Save, check and approve workflows, start them, and follow and control their runs',
    run: async (args) => (await import('../workflows/workflows.ts')).workflows(args),
  },
  executors: {
    summary: 'Add, test and remove the remote executors of this device',
    run: async (args) => (await import('../executors/executors.ts')).executors(args),
  },
  login: {
    summary: 'Sign in to a server, or create an account',
    run: async (args) => (await import('./cloud/login.ts')).login(args),
  },
  logout: {
    summary: 'Sign out, and keep or delete the data on this device',
    run: async (args) => (await import('./cloud/logout.ts')).logout(args),
  },
  account: {
    summary: 'Show the account of this device, change its password or delete it',
    run: async (args) => (await import('./cloud/account.ts')).account(args),
  },
  keys: {
    summary: 'List, create and revoke the API keys of the account',
    run: async (args) => (await import('./cloud/keys.ts')).keys(args),
  },
  sync: {
    summary: 'Show the synchronization status, synchronize now, or show rejected changes',
    run: async (args) => (await import('./cloud/sync.ts')).sync(args),
  },
  devices: {
    summary: 'List the devices of the account, rename or remove one',
    run: async (args) => (await import('./cloud/devices.ts')).devices(args),
  },
  tasks: {
    summary: 'List, accept, decline or send tasks',
    run: async (args) => (await import('./cloud/tasks.ts')).tasks(args),
  },
  'install-desktop': {
    summary: 'Add Tandem to the start menu, on Linux',
    run: async (args) => (await import('./install-desktop.ts')).installDesktop(args),
  },
  config: {
    summary: 'Show and change the settings of this device and the defaults of the terminal',
    run: async (args) => (await import('../config/config.ts')).config(args),
  },
  completion: {
    summary: 'Print a script that completes commands in bash, zsh or fish',
    run: async (args) => (await import('../completion/completion.ts')).completion(args, commands),
  },
  command: {
    summary: 'Call any command of the runtime with JSON',
    run: async (args) => (await import('./call.ts')).callCommand(args),
  },
  server: {
    summary: 'Start only the server, configured with environment variables',
    run: async (args) => (await import('./server.ts')).server(args),
  },
  executor: {
    summary: 'Make this machine available to your other devices as a remote executor',
    run: async (args) => (await import('./executor.ts')).executor(args),
  },
  'renew-epoch': {
    summary: 'Finish restoring a backup: devices send all their data again',
    run: async (args) => (await import('./renew-epoch.ts')).renewEpoch(args),
  },
  names: {
    summary: 'List the names that programs can use: commands, tools, events, stores, step kinds, entities, endpoints and more',
    run: async (args) => (await import('./names.ts')).listNames(args),
  },
}
