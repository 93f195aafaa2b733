// The window's icons, all in one style: 16 by 16, one stroke.

export const iconPaths = {
  chevron: 'M6 3.5l4.5 4.5L6 12.5',
  open: 'M3.5 6L8 10.5 12.5 6',
  plus: 'M8 3v10M3 8h10',
  send: 'M8 13V3M3.8 7.2L8 3l4.2 4.2',
  stop: 'M4.5 4.5h7v7h-7z',
  pin: 'M5.5 2.5h5M6.2 2.5v4L4.5 9h7L9.8 6.5v-4M8 9v4.5',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'M4 4l8 8M12 4l-8 8',
  down: 'M8 3v10M3.8 8.8L8 13l4.2-4.2',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4l3.1 3.1',
  folder: 'M2 4h4.2l1.3 1.6H14v7H2z',
  diff: 'M8 2.5v6M5 5.5h6M5 12.5h6',
  file: 'M4 2.5h5L12.5 6v7.5h-8.5zM9 2.5V6h3.5',
  clip: 'M12.5 7.2l-4.8 4.8a2.8 2.8 0 0 1-4-4l5.2-5.2a1.9 1.9 0 0 1 2.7 2.7L6.6 10.4a.9.9 0 0 1-1.3-1.3l4.4-4.4',
  wrap: 'M2.5 4h11M2.5 8h8.7a2 2 0 0 1 0 4H9M10.5 10.3L8.8 12l1.7 1.7M2.5 12h3.5',
  check: 'M3 8.5l3.2 3.2L13 4.8',
  wrong: 'M8 4.8v3.8M8 11h.01M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12z',
  edit: 'M3 13l.6-2.8 7-7 2.2 2.2-7 7zM9.2 4.6l2.2 2.2',
  again: 'M13 3.5v3.2H9.8M12.8 6.5A5.2 5.2 0 1 0 13.2 9',
  branch: 'M5 3v10M5 10.5c0-4 6-2.5 6-6.5M9.2 5.5L11 3.7l1.8 1.8',
  Thinking: 'M8 2.5a4 4 0 0 0-2.3 7.3V11h4.6V9.8A4 4 0 0 0 8 2.5zM6.3 13.5h3.4',
  ToolCall: 'M10.8 2.6a3.4 3.4 0 0 0-4.2 4.5L2.6 11l2.4 2.4 4-4a3.4 3.4 0 0 0 4.4-4.3l-2.1 2.1-2.2-.6-.5-2.2z',
  ToolResult: 'M2.5 3.5h11v9h-11zM4.8 6.2l2 1.8-2 1.8M8.5 10h2.8',
  ContextCompact: 'M8 2v4M5.8 4.2L8 6.3l2.2-2.1M8 14v-4M5.8 11.8L8 9.7l2.2 2.1M2.5 8h11',
  Workflow: 'M2.5 3h4v3.5h-4zM9.5 9.5h4V13h-4zM4.5 6.5v4.8h5',
  McpStatus: 'M5.5 2.5v3M10.5 2.5v3M4 5.5h8v2.8a4 4 0 0 1-8 0zM8 12.3v1.4',
  RunStatus: 'M5 3.5l7 4.5-7 4.5z',
  Error: 'M8 2.5l6 10.8H2zM8 6.5v3.2M8 11.6h.01',
  TodoCard: 'M2.5 4.5l1.2 1.2 2-2.4M2.5 11l1.2 1.2 2-2.4M8 4.5h5.5M8 11h5.5',
  QuestionCard: 'M6 6a2 2 0 1 1 2.8 1.9c-.6.3-.8.7-.8 1.4M8 11.6h.01M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12z',
  chat: 'M2.5 3.5h11v7.5H7.5L4.5 13.5V11h-2z',
  todos: 'M2.5 4.5l1.2 1.2 2-2.4M2.5 11l1.2 1.2 2-2.4M8 4.5h5.5M8 11h5.5',
  runs: 'M5 3.5l7 4.5-7 4.5z',
  teams:
    'M8 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 6.5V9M3.5 10.5V9h9v1.5M3.5 10.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3zM12.5 10.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z',
  workflows: 'M2.5 3h4v3.5h-4zM9.5 9.5h4V13h-4zM4.5 6.5v4.8h5',
  memory: 'M4 2.5h8v11L8 10.5 4 13.5zM6.2 5.5h3.6',
  knowledge: 'M8 4.3C6.6 3.2 4.6 2.8 2 3v9.3c2.6-.2 4.6.2 6 1.3 1.4-1.1 3.4-1.5 6-1.3V3c-2.6-.2-4.6.2-6 1.3zM8 4.3v9.3',
  recovery: 'M3 3.5v3.2h3.2M3.2 6.5A5.2 5.2 0 1 1 2.8 9M8 5.2V8l2 1.4',
  mcp: 'M5.5 2.5v3M10.5 2.5v3M4 5.5h8v2.8a4 4 0 0 1-8 0zM8 12.3v1.4',
  skills: 'M3 2.5h7.5a2 2 0 0 1 2 2v9H5a2 2 0 0 1-2-2zM3 11.5a2 2 0 0 1 2-2h7.5M6 5.5h3.5',
  agents: 'M8 8a2.6 2.6 0 1 0 0-5.2A2.6 2.6 0 0 0 8 8zM3 13.5c.6-2.6 2.4-4 5-4s4.4 1.4 5 4',
  settings: 'M2.5 5h6M11.5 5h2M10 3.5v3M2.5 11h2M7.5 11h6M6 9.5v3',
  diagnostics: 'M2 8.5h2.8L6.6 4l3 8 1.7-3.5H14',
  devices: 'M1.8 3.5h8.7v6.2H1.8zM4.2 12.5h4M11.5 6.5h2.8v6h-2.8z',
  files: 'M4 2.5h5.2L12 5.3v8.2H4zM9 2.5v3h3',
  tasks: 'M2.5 9l1.8-5.5h7.4L13.5 9v4h-11zM2.5 9h3.2l.8 1.6h3l.8-1.6h3.2',
} as const

export type IconName = keyof typeof iconPaths

export function Icon({ name, className = '', size = 16 }: { name: IconName; className?: string; size?: number }) {
  return (
    <svg viewBox="0 0 16 16" width={size} height={size} aria-hidden="true" className={className === '' ? 'icon' : `icon ${className}`}>
      <path d={iconPaths[name]} />
    </svg>
  )
}
