"""The versioned registry: the JSON gate, schemas, detection and validation."""
