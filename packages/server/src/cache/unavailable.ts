export class CacheUnavailable extends Error {
  readonly code = 'cache_unavailable'
  override readonly name = 'CacheUnavailable'
}
