"""The `tengen` command and its sub-commands: the only place that imports the engine, the brain and the manager."""
