module XMonad.Core (Config) where

import qualified Data.Map as M

-- | The configuration.
data Config a = Config { width :: Int } | NoConfig

newtype Wrapper = Wrapper Int
type Alias = Int

class Layout a where
  apply :: a -> Int

instance Layout Wrapper where
  apply x = 1

-- | Counts.
count :: Int -> Int
count 0 = 1
count n = helper n
  where
    helper x = x

limit = 3
