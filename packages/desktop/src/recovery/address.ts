export function timelineAddress(run_id: string): string {
  return `/recovery/${encodeURIComponent(run_id)}`
}

export function restoreAddress(run_id: string, checkpoint_id: string): string {
  return `${timelineAddress(run_id)}/${encodeURIComponent(checkpoint_id)}`
}
