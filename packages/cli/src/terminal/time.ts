// Times as the terminal shows them: always in UTC, like the logs and the JSON of all commands.

export function utcMinute(timestamp: string): string {
  return `${timestamp.replace('T', ' ').slice(0, 16)} UTC`
}

export function utcSecond(timestamp: string): string {
  return `${timestamp.replace('T', ' ').slice(0, 19)} UTC`
}
