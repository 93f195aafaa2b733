// Texts of settings and diagnostics that are not in strings/window.ts.

import type { SupportBundle } from '@tandem/contract/command'
import { translated } from '../language/language.ts'
import { count } from './count.ts'

export const centerWords = translated('settings', {
  settingsCenter: {
    /** Other words that users may search for, by setting. */
    synonyms: {
      model_base_url: 'model provider endpoint address server openai ollama lm studio openrouter url',
      default_model: 'model llm gpt claude llama choose',
      model_key: 'model api key secret token password credential',
      model_context_window: 'model tokens length context size',
      search_provider: 'web search engine brave tavily searxng internet',
      search_url: 'web search searxng proxy address',
      search_key: 'web search api key secret token',
      theme: 'appearance dark light mode color system',
      notifications: 'alerts desktop notify badge sound popup',
      when_window_closes: 'quit exit background keep running close stop',
      tour: 'introduction help first steps welcome',
      background_model: 'memory background tokens cost extraction privacy',
      daily_tokens: 'memory budget limit cost daily tokens',
      sections: {
        model: 'provider llm ai',
        usage: 'tokens cost price spending month bill',
        search: 'internet provider',
        memory_cost: 'background model tokens budget',
        memory: 'profile about me corrections review relationships',
        executors: 'remote machine server ssh host other computer',
        import: 'chatgpt claude export history transfer',
        window: 'appearance theme closing notifications',
        account: 'sign in login sync devices cloud',
        keys: 'shortcuts keyboard hotkeys',
      },
    },
    search: 'Web search',
    searchLead: 'The search provider for web.search',
    provider: 'Provider',
    noProvider: 'none',
    searchUrl: 'Custom URL',
    searchUrlHint: 'optional; the URL of your SearXNG server or of a proxy',
    searchKey: 'API key',
    window: 'Window',
    closing: 'When the last window is closed',
    closings: {
      keep_going: ['Keep running', 'Runs continue in the background; “tandem start” opens the window again.'],
      stop: ['Quit Tandem', 'Running work is paused and can be continued.'],
    },
    tourLead: 'A quick tour on the first page',
    tourAgain: 'Restart tour',
    account: 'Account and devices',
    accountLead: 'Sign in, sync, and manage your devices',
    keys: 'Keyboard',
    openKeys: 'Show all shortcuts',
    memory: {
      title: 'Memory',
      lead: 'What your agents remember about you, and your corrections',
      profile: 'About you',
      openProfile: 'Open your profile',
      graph: 'Relationships',
      openGraph: 'Open the graph',
      review: 'Review',
      openReviews: 'All reviews',
      corrections: 'Corrections',
      openMemories: 'All memories',
    },
  },
  diagnosticsCenter: {
    toDevices: 'Devices and sync',
    works: 'Available',
    notYet: 'Not available yet',
    failures: 'Recent problems',
    failuresLead: 'Each kind of problem once, with how to fix it',
    noFailures: 'No recent problems',
    times: (number: number, at: string) => `${count(number, 'time', 'times')}, last ${at}`,
    parked: {
      title: 'Delayed work',
      lead: 'Processing these events failed several times. They are kept and retried; everything else continues.',
      what: (listener: string, event: string) => `${listener} could not process ${event}`,
      when: (kind: string, id: string, since: string, failures: number, retry_at: string) =>
        `${kind} ${id}, ${since}. ${count(failures, 'attempt', 'attempts')}, next attempt ${retry_at}`,
    },
    memory: {
      title: 'Memory',
      lead: 'The search index for memories and messages, and the reviews that read conversations.',
      searchIndex: 'Search index',
      states: { good: 'Up to date', warn: 'Catching up', bad: 'Problem' },
      texts: (texts: number | null, waiting: number) => {
        const found = texts === null ? 'Not responding' : `${count(texts, 'text', 'texts')}`
        return waiting === 0 ? found : `${found} · ${count(waiting, 'change', 'changes')} not indexed yet`
      },
      reviews: 'Reviews',
      allReviews: 'All reviews',
    },
    support: 'Support bundle',
    supportLead:
      'A file you can give to someone who is helping you. It contains versions, counts, the sandbox report and the types of recent events. It contains no messages, files, paths, personal names or keys.',
    look: 'Preview',
    lookAgain: 'Refresh',
    write: 'Save file',
    written: 'Saved to:',
    bundle: {
      product: 'Version and start',
      host: 'Machine: system, processor, memory, free disk space',
      settings: 'Settings, without addresses and keys',
      sandbox: 'Sandbox self-test',
      features: 'Features',
      executors: 'Remote executors by state',
      counts: 'Number of rows per table',
      runs: 'Runs by state',
      failures: 'Failures by kind',
      events: 'Recent events: types, times, numbers',
      format: 'Format',
      made_at: 'Created at',
    } satisfies Record<keyof SupportBundle, string>,
    entries: (number: number) => count(number, 'entry', 'entries'),
  },
} as const)
