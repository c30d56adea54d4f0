// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC1155Receiver} from "@openzeppelin/contracts/token/ERC1155/IERC1155Receiver.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {INftReceipts} from "../../../contracts/interfaces/proxy/INftReceipts.sol";
import {MintableItems} from "../../../contracts/mocks/MintableItems.sol";
import {MintableNft} from "../../../contracts/mocks/MintableNft.sol";
import {ProxyFixture} from "./ProxyFixture.sol";

/// @title RecordingCollection
/// @notice Reports tokens with given calldata, and records the answer and the requested transfer.
contract RecordingCollection {
    bytes public lastCall;

    bytes public lastAnswer;

    error ReportRefused(bytes reason);

    /// @dev Receives every transfer call.
    fallback() external {
        lastCall = msg.data;
    }

    /// @notice Reports tokens to an account.
    function report(address to, bytes calldata words) external {
        (bool success, bytes memory answer) = to.call(words);
        if (!success) revert ReportRefused(answer);
        lastAnswer = answer;
    }
}

/// @title NftReceiptsTest
/// @notice NFTs of any id and amount, single and in batches, reach the recipient of the call with their data, and none stays
/// on proxy or executor. Without a recipient they are refused.
contract NftReceiptsTest is ProxyFixture {
    uint256 private constant MAX_BATCH = 12;

    MintableNft private _nft;
    MintableItems private _items;
    RecordingCollection private _recording;

    function setUp() public {
        _deployProxy();
        _nft = new MintableNft();
        _items = new MintableItems();
        _recording = new RecordingCollection();
    }

    function testFuzz_AnErc721TokenOfAnyIdReachesTheRecipient(
        bool viaProxy,
        uint256 one,
        uint256 other
    ) public {
        VM.assume(one != other);
        _receive(
            viaProxy,
            _steps(
                _step(address(_nft), abi.encodeCall(MintableNft.mint, (_executor, one))),
                _step(address(_nft), abi.encodeCall(MintableNft.mint, (_executor, other)))
            )
        );
        _assertEq(_nft.ownerOf(one), RECIPIENT);
        _assertEq(_nft.ownerOf(other), RECIPIENT);
        _assertEq(_nft.balanceOf(_executor) + _nft.balanceOf(address(_proxy)), 0);
    }

    function testFuzz_AnyAmountOfAnErc1155TokenReachesTheRecipient(
        bool viaProxy,
        uint256 id,
        uint256 amount
    ) public {
        _receive(
            viaProxy,
            _steps(_step(address(_items), abi.encodeCall(MintableItems.mint, (_executor, id, amount))))
        );
        _assertEq(_items.balanceOf(RECIPIENT, id), amount);
        _assertNoItems(id);
    }

    function testFuzz_AnyBatchReachesTheRecipientWhole(
        bool viaProxy,
        uint256[] memory ids,
        uint128[] memory amounts
    ) public {
        uint256[] memory values;
        (ids, values) = _batch(ids, amounts);
        _receive(
            viaProxy,
            _steps(_step(address(_items), abi.encodeCall(MintableItems.mintBatch, (_executor, ids, values))))
        );
        for (uint256 i; i < ids.length; ++i) {
            _assertEq(_items.balanceOf(RECIPIENT, ids[i]), _sumOf(ids, values, ids[i]));
            _assertNoItems(ids[i]);
        }
    }

    function testFuzz_DataOfATokenIsForwardedWithIt(
        bool viaProxy,
        uint8 kind,
        uint256[] memory ids,
        uint128[] memory amounts,
        bytes memory data
    ) public {
        uint256[] memory values;
        (ids, values) = _batch(ids, amounts);
        if (ids.length == 0) (ids, values) = (new uint256[](1), new uint256[](1));
        (bytes memory report, bytes memory sentOn) = _reportOf(kind, ids, values, data);
        _receive(
            viaProxy,
            _steps(
                _step(address(_recording), abi.encodeCall(RecordingCollection.report, (_executor, report)))
            )
        );
        _assertEq(_recording.lastCall(), sentOn);
        _assertEq(_recording.lastAnswer(), abi.encode(bytes4(report)));
    }

    function testFuzz_RevertWhen_ATokenArrivesOutsideACall(
        uint8 kind,
        uint256[] memory ids,
        uint128[] memory amounts
    ) public {
        uint256[] memory values;
        (ids, values) = _batch(ids, amounts);
        VM.expectRevert(
            abi.encodeWithSelector(
                INftReceipts.NftRecipientNotSet.selector,
                kind % 3 == 0 ? address(_nft) : address(_items)
            )
        );
        if (kind % 3 == 0) _nft.mint(_executor, ids.length);
        else if (kind % 3 == 1 || ids.length == 1) _items.mint(_executor, ids.length, values.length);
        else _items.mintBatch(_executor, ids, values);
    }

    function testFuzz_RevertWhen_ACallNamesNoNftRecipient(bool viaProxy, uint256 id) public {
        IBalanceActions.Step[] memory steps = _steps(
            _step(address(_nft), abi.encodeCall(MintableNft.mint, (_executor, id)))
        );
        IBalanceActions entry = _entry(viaProxy);
        VM.expectRevert(
            abi.encodeWithSelector(
                IBalanceActions.StepFailed.selector,
                0,
                address(_nft),
                abi.encodeWithSelector(INftReceipts.NftRecipientNotSet.selector, address(_nft))
            )
        );
        VM.prank(CALLER);
        entry.execute(_noAssets(), steps);
    }

    /// @dev A collection's report of one of three kinds, and the transfer that must answer it.
    function _reportOf(
        uint8 kind,
        uint256[] memory ids,
        uint256[] memory values,
        bytes memory data
    ) private view returns (bytes memory report, bytes memory sentOn) {
        if (kind % 3 == 0) {
            report = abi.encodeCall(IERC721Receiver.onERC721Received, (STRANGER, CALLER, ids[0], data));
            sentOn = abi.encodeWithSignature(
                "safeTransferFrom(address,address,uint256,bytes)",
                _executor,
                RECIPIENT,
                ids[0],
                data
            );
        } else if (kind % 3 == 1) {
            report = abi.encodeCall(
                IERC1155Receiver.onERC1155Received,
                (STRANGER, CALLER, ids[0], values[0], data)
            );
            sentOn = abi.encodeWithSignature(
                "safeTransferFrom(address,address,uint256,uint256,bytes)",
                _executor,
                RECIPIENT,
                ids[0],
                values[0],
                data
            );
        } else {
            report = abi.encodeCall(
                IERC1155Receiver.onERC1155BatchReceived,
                (STRANGER, CALLER, ids, values, data)
            );
            sentOn = abi.encodeWithSignature(
                "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)",
                _executor,
                RECIPIENT,
                ids,
                values,
                data
            );
        }
    }

    function _receive(bool viaProxy, IBalanceActions.Step[] memory steps) private {
        IBalanceActions entry = _entry(viaProxy);
        VM.prank(CALLER);
        entry.executeWithNftRecipient(
            IBalanceActions.NftExecution({assets: _noAssets(), steps: steps, nftRecipient: RECIPIENT})
        );
    }

    /// @dev As many ids as amounts, within the limit; ids may repeat.
    function _batch(
        uint256[] memory ids,
        uint128[] memory amounts
    ) private pure returns (uint256[] memory, uint256[] memory) {
        uint256 length = ids.length < amounts.length ? ids.length : amounts.length;
        if (length > MAX_BATCH) length = MAX_BATCH;
        uint256[] memory kept = new uint256[](length);
        uint256[] memory values = new uint256[](length);
        for (uint256 i; i < length; ++i) (kept[i], values[i]) = (ids[i], amounts[i]);
        return (kept, values);
    }

    function _sumOf(
        uint256[] memory ids,
        uint256[] memory values,
        uint256 id
    ) private pure returns (uint256 sum) {
        for (uint256 i; i < ids.length; ++i) if (ids[i] == id) sum += values[i];
    }

    function _assertNoItems(uint256 id) private view {
        _assertEq(_items.balanceOf(_executor, id), 0);
        _assertEq(_items.balanceOf(address(_proxy), id), 0);
    }
}
